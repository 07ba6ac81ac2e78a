import type { Command } from "../command.ts";
import { callCommand } from "./call.ts";
import { doctorCommand } from "./doctor.ts";
import { envCommand } from "./env.ts";
import { keysRotate, modelsCreate, modelsDestroy, modelsInfo, modelsList } from "./models.ts";
import { pullCommand } from "./pull.ts";
import { serveCommand } from "./serve.ts";

/** In the order that help shows them. */
export const commands: readonly Command[] = [
  serveCommand,
  envCommand,
  modelsList,
  modelsInfo,
  modelsCreate,
  modelsDestroy,
  keysRotate,
  pullCommand,
  callCommand,
  doctorCommand,
];
