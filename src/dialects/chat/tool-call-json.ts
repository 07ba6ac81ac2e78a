// A tool call as the reply shows it. Its id is the engine's own, so that history matches
// there too, unless clients could not send it back: then one is made from the reply's id.

import { createHash } from "node:crypto";
import type { CallEvent } from "../../call/index.ts";

type ToolCallEvent = Extract<CallEvent, { type: "tool_call" }>;

const USABLE_ID = /^[a-zA-Z0-9_-]{1,1024}$/;
const ID_CHARACTERS = 22;

/** Writes the fields of each call of one reply, without the braces: chunks add an index. */
export function createToolCallWriter(replyId: string): (call: ToolCallEvent) => string {
  const used = new Set<string>();
  return ({ id, name, arguments: written }) => {
    const usable = USABLE_ID.test(id) && !used.has(id) ? id : makeId(replyId, used.size);
    used.add(usable);
    const called = { name, arguments: written.trim() === "" ? "{}" : written };
    return `"id":${JSON.stringify(usable)},"type":"function","function":${JSON.stringify(called)}`;
  };
}

const makeId = (replyId: string, index: number): string =>
  `tooluse_${createHash("sha256").update(`${replyId}/${index}`).digest("base64url").slice(0, ID_CHARACTERS)}`;
