// How a local model writes a call: the form that Hermes and Qwen were trained on, and that other
// models follow when told. One form for all, so that one grammar makes it and one reader reads it.

import { toSpacedJson } from "./spaced-json.ts";

export const CALL_OPEN = "<tool_call>";
export const CALL_CLOSE = "</tool_call>";

/** Most calls of one turn: a small model that may go on, goes on. */
export const MOST_CALLS = 8;

/** A call as the model would have written it. The arguments stay as they are where they are JSON. */
export function writeToolCall(name: string, argumentsText: string): string {
  return `${CALL_OPEN}{"name": ${toSpacedJson(name)}, "arguments": ${argumentsText || "{}"}}${CALL_CLOSE}`;
}
