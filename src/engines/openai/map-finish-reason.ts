// Why the upstream stopped, in our three words. A reason that means "I broke" is no finish:
// the turn has failed. Unknown words count as `stop`, since new ones appear every year.

import type { FinishReason } from "../../call/index.ts";

const REASONS = new Map<string, FinishReason | "failed">([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["content_filter", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
  ["error", "failed"],
  // SGLang and vLLM, when the server itself dropped the request.
  ["abort", "failed"],
  // DeepSeek, when it ran out of machines.
  ["insufficient_system_resource", "failed"],
]);

export function mapFinishReason(raw: string): FinishReason | "failed" {
  return REASONS.get(raw) ?? REASONS.get(raw.toLowerCase()) ?? "stop";
}
