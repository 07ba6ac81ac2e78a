// The worker's process, with the small dialogue of the tests in place of the real one.

import { smallDialogue } from "./dialogue-fixture.ts";
import { serveChannel } from "./serve-channel.ts";

serveChannel(smallDialogue);
