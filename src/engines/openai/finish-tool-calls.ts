// Assembled calls as they may leave the house: with a unique id of allowed characters, and
// with arguments that are a JSON object. The text of the arguments stays the model's own.

import { createHash } from "node:crypto";
import type { CallEvent, FinishReason } from "../../call/index.ts";
import { asRecord, parseJson } from "./read-json.ts";
import type { AssembledCall } from "./tool-call-assembler.ts";

export type ToolCallEvent = Extract<CallEvent, { readonly type: "tool_call" }>;

/** Undefined: a call is unusable, although the model was not cut off. */
export function finishToolCalls(
  calls: readonly AssembledCall[],
  reason: FinishReason,
  createId: () => string,
): ToolCallEvent[] | undefined {
  const events: ToolCallEvent[] = [];
  const taken = new Set<string>();
  for (const call of calls) {
    const text = call.arguments.trim();
    const written = text === "" || text === "null" ? "{}" : call.arguments;
    if (call.name === undefined || asRecord(parseJson(written)) === undefined) {
      // Cut at the token limit, a call may be half written: then it was never made.
      if (reason === "length") continue;
      return undefined;
    }
    const id = uniqueId(call.id === undefined ? createId() : allowedId(call.id), taken);
    events.push({ type: "tool_call", id, name: call.name, arguments: written });
  }
  return events;
}

/** The same foreign id always becomes the same id here: history may be compared later. */
function allowedId(id: string): string {
  if (id.length <= 128 && /^[a-zA-Z0-9_-]+$/.test(id)) return id;
  return `tooluse_${createHash("sha256").update(id).digest("base64url").slice(0, 22)}`;
}

function uniqueId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let copy = 2; taken.has(unique); copy++) unique = `${id}_${copy}`;
  taken.add(unique);
  return unique;
}
