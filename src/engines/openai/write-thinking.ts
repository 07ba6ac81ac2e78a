// Thinking as the upstreams say it: `reasoning_content` (DeepSeek, SGLang, llama.cpp),
// `reasoning` (vLLM, Ollama, OpenRouter), or OpenRouter's `reasoning_details`, which alone
// keep signatures and ciphertext. Several may be present with the same words in them, so
// one is chosen and the words of the others are left.

import type { CallEvent } from "../../call/index.ts";
import { asArray, asRecord, asText, type JsonRecord } from "./read-json.ts";

export function writeThinking(delta: JsonRecord, write: (event: CallEvent) => void): void {
  const details =
    delta.reasoning_details === undefined ? undefined : asArray(delta.reasoning_details);
  if (details !== undefined && details.length > 0) {
    writeDetails(details, delta, write);
    return;
  }
  const text = asText(delta.reasoning_content) ?? asText(delta.reasoning);
  if (text !== undefined) write({ type: "thinking", text });
}

function writeDetails(
  details: readonly unknown[],
  delta: JsonRecord,
  write: (event: CallEvent) => void,
): void {
  if (!details.some((detail) => readDetailText(asRecord(detail)) !== undefined)) {
    const text = asText(delta.reasoning_content) ?? asText(delta.reasoning);
    if (text !== undefined) write({ type: "thinking", text });
  }
  for (const value of details) {
    const detail = asRecord(value);
    const text = readDetailText(detail);
    if (text !== undefined) write({ type: "thinking", text });
    const signature = asText(detail?.signature);
    if (signature !== undefined) write({ type: "signature", signature });
    const data = asText(detail?.data);
    if (data !== undefined) write({ type: "redacted_thinking", data });
  }
}

const readDetailText = (detail: JsonRecord | undefined): string | undefined =>
  asText(detail?.text) ?? asText(detail?.summary);
