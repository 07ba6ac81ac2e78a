// The usage of a chat reply. A count that the engine did not give is left out: absent is
// not zero.

import type { Static } from "typebox";
import type { Usage } from "../../call/index.ts";
import type { ChatUsageSchema } from "./reply-schema.ts";

export function usageJson(usage: Usage): string {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const shown: Static<typeof ChatUsageSchema> = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  if (cachedTokens !== undefined || cacheWriteTokens !== undefined) {
    shown.prompt_tokens_details = {
      ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
      ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
    };
  }
  if (reasoningTokens !== undefined) {
    shown.completion_tokens_details = { reasoning_tokens: reasoningTokens };
  }
  return JSON.stringify(shown);
}
