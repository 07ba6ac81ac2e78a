// The process that holds one model: what the engine forks.

import { createOutputReader } from "../output/index.ts";
import { planGeneration } from "../prompt/index.ts";
import { serveChannel } from "./serve-channel.ts";

serveChannel({ planGeneration, createOutputReader });
