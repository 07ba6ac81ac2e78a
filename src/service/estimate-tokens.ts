// Token counts before, or without, the engine's own. Rough on purpose: an upstream's tokenizer
// is not ours to run. The reservation errs high, so that a burst cannot overshoot the limit;
// the usage estimate aims at the middle, and is marked as an estimate wherever it shows.

import type { Call, Usage } from "../call/index.ts";

const CAUTIOUS_BYTES_PER_TOKEN = 3;
const TYPICAL_BYTES_PER_TOKEN = 4;
/** About what vendors charge for a picture of a megapixel. */
const TOKENS_PER_IMAGE = 1600;
/** Asked for even where the estimate leaves less: the engine knows better than it. */
const LEAST_ANSWER = 256;

export type Prompt = { readonly textBytes: number; readonly images: number };

/** What counts as prompt in a body of that size: picture data is not text. */
export function measurePrompt(call: Call, bodyBytes: number): Prompt {
  let textBytes = bodyBytes;
  let images = 0;
  for (const message of call.messages) {
    for (const part of message.parts) {
      if (part.type !== "image") continue;
      images += 1;
      if (part.source.type === "base64") textBytes -= part.source.data.length;
    }
  }
  return { textBytes: Math.max(0, textBytes), images };
}

export function tokensToReserve(prompt: Prompt, call: Call): number {
  return tokens(prompt, CAUTIOUS_BYTES_PER_TOKEN) + call.maxOutputTokens;
}

/**
 * The output cap of a call that names none: the model's maximum, or what the prompt leaves of
 * the context, since engines refuse a call whose prompt and cap together exceed it.
 */
export function fitOutputCap(call: Call, prompt: Prompt, context: number): Call {
  const left = context - tokens(prompt, CAUTIOUS_BYTES_PER_TOKEN);
  const least = LEAST_ANSWER + (call.thinking?.budgetTokens ?? 0);
  const maxOutputTokens = Math.min(call.maxOutputTokens, Math.max(left, least));
  return maxOutputTokens === call.maxOutputTokens ? call : { ...call, maxOutputTokens };
}

export function estimateUsage(prompt: Prompt, outputCharacters: number): Usage {
  return {
    promptTokens: tokens(prompt, TYPICAL_BYTES_PER_TOKEN),
    completionTokens: Math.ceil(outputCharacters / TYPICAL_BYTES_PER_TOKEN),
    estimated: true,
  };
}

const tokens = ({ textBytes, images }: Prompt, bytesPerToken: number): number =>
  Math.ceil(textBytes / bytesPerToken) + images * TOKENS_PER_IMAGE;
