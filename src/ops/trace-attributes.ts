// What spans say, in the words of OpenTelemetry's HTTP and gen_ai conventions. The names are
// written out here: the gen_ai ones are still in development, and the package that holds
// them moves them about. Both names of the provider are given, since backends know either.

import type { Usage } from "../call/index.ts";
import { redact } from "./redact.ts";
import type { InferenceResult, TracedInference, TracedRequest } from "./tracing.ts";

/** An undefined value is left out by OpenTelemetry: absent is not zero. */
type Attributes = Record<string, string | number | boolean | string[] | undefined>;

export const requestAttributes = (request: TracedRequest): Attributes => ({
  "http.request.method": request.method,
  "http.route": request.route,
  "url.path": redact(request.path),
  "hearth.request.id": redact(request.requestId),
});

export const inferenceAttributes = (inference: TracedInference): Attributes => ({
  "gen_ai.operation.name": inference.operation ?? "chat",
  "gen_ai.provider.name": inference.provider,
  "gen_ai.system": inference.provider,
  "gen_ai.request.model": inference.model,
  "gen_ai.request.max_tokens": inference.maxOutputTokens,
  "gen_ai.request.temperature": inference.temperature,
  "gen_ai.request.top_p": inference.topP,
  "gen_ai.request.stream": inference.stream,
});

export const resultAttributes = (result: InferenceResult): Attributes => ({
  "gen_ai.response.model": result.responseModel,
  "gen_ai.response.finish_reasons": result.finishReason && [result.finishReason],
  "gen_ai.response.time_to_first_chunk": result.firstTokenSeconds,
  ...(result.usage && usageAttributes(result.usage)),
  "error.type": result.errorType,
});

const usageAttributes = (usage: Usage): Attributes => ({
  "gen_ai.usage.input_tokens": usage.promptTokens,
  "gen_ai.usage.output_tokens": usage.completionTokens,
  "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens,
  "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
  "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
});
