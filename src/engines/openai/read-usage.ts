// Token counts in the dialects of the upstreams. All of them count cached tokens into the
// prompt; what differs is where the numbers lie. Absent is not zero: without both a prompt
// and a completion count there is no usage.

import type { Usage } from "../../call/index.ts";
import { asArray, asCount, asRecord, type JsonRecord } from "./read-json.ts";

export function readUsage(chunk: JsonRecord): Usage | undefined {
  const usage = findUsage(chunk);
  const timings = asRecord(chunk.timings);
  if (usage === undefined) return timings === undefined ? undefined : readTimings(timings);

  const promptDetails = asRecord(usage.prompt_tokens_details);
  const completionDetails = asRecord(usage.completion_tokens_details);
  let promptTokens = asCount(usage.prompt_tokens);
  if (promptTokens === undefined) return undefined;
  const completionTokens =
    asCount(usage.completion_tokens) ?? difference(asCount(usage.total_tokens), promptTokens);
  if (completionTokens === undefined) return undefined;

  const cachedTokens =
    asCount(promptDetails?.cached_tokens) ??
    asCount(usage.prompt_cache_hit_tokens) ??
    asCount(usage.cached_tokens) ??
    asCount(timings?.cache_n);
  // More cached than prompt: this upstream counts them apart, and we count them together.
  if (cachedTokens !== undefined && cachedTokens > promptTokens) promptTokens += cachedTokens;
  const cacheWriteTokens = asCount(promptDetails?.cache_write_tokens);
  const reasoningTokens =
    asCount(completionDetails?.reasoning_tokens) ?? asCount(usage.reasoning_tokens);
  return {
    promptTokens,
    completionTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    estimated: false,
  };
}

/** At the top, in Groq's corner, or inside the choice (Moonshot). */
function findUsage(chunk: JsonRecord): JsonRecord | undefined {
  return (
    asRecord(chunk.usage) ??
    asRecord(asRecord(chunk.x_groq)?.usage) ??
    asRecord(asRecord(asArray(chunk.choices)?.[0])?.usage)
  );
}

/** llama.cpp's own numbers, where it was not asked for usage or has not come to it yet. */
function readTimings(timings: JsonRecord): Usage | undefined {
  const evaluated = asCount(timings.prompt_n);
  const completionTokens = asCount(timings.predicted_n);
  if (evaluated === undefined || completionTokens === undefined) return undefined;
  const cachedTokens = asCount(timings.cache_n);
  return {
    promptTokens: evaluated + (cachedTokens ?? 0),
    completionTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
    estimated: false,
  };
}

const difference = (total: number | undefined, part: number): number | undefined =>
  total === undefined || total < part ? undefined : total - part;
