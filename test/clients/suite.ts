// One suite of behaviours for every client library. A library is an adapter; what has to hold
// for it is said once, in the files named here.

import { describe } from "node:test";
import { chatBehaviours } from "./chat-behaviours.ts";
import type { Library } from "./client.ts";
import { formatBehaviours } from "./format-behaviours.ts";
import { interruptionBehaviours } from "./interruption-behaviours.ts";
import { refusalBehaviours } from "./refusal-behaviours.ts";
import { type Stage, setStage } from "./stage.ts";
import { streamBehaviours } from "./stream-behaviours.ts";
import { thinkingBehaviours } from "./thinking-behaviours.ts";
import { toolBehaviours } from "./tool-behaviours.ts";

/** `more` adds what only this library can do. */
export function runSuite(library: Library, more: (stage: Stage) => void): void {
  describe(library.name, { timeout: 60_000 }, () => {
    const stage = setStage(library);
    chatBehaviours(stage);
    streamBehaviours(stage);
    toolBehaviours(stage);
    formatBehaviours(stage);
    thinkingBehaviours(stage);
    refusalBehaviours(stage);
    interruptionBehaviours(stage);
    more(stage);
  });
}
