// Wire JSON to a chat request: the schema, and the two rules between fields that no model
// needs to be known for.

import { invalidRequest } from "../../call/index.ts";
import { compileRequest } from "../schema-error.ts";
import { type ChatRequest, ChatRequestSchema } from "./request-schema.ts";

const parse = compileRequest(ChatRequestSchema);

export function parseChatRequest(body: unknown): ChatRequest {
  const request = parse(body);
  if (request.allow_ignored_params !== true) refuseLogProbabilities(request);
  refuseTwoCaps(request);
  return request;
}

function refuseLogProbabilities({ logprobs, top_logprobs }: ChatRequest): void {
  if ((logprobs ?? false) !== false) {
    throw invalidRequest("logprobs: log probabilities are unavailable");
  }
  if ((top_logprobs ?? null) !== null) {
    throw invalidRequest("top_logprobs: log probabilities are unavailable");
  }
}

function refuseTwoCaps({ max_completion_tokens, max_tokens }: ChatRequest): void {
  const documented = max_completion_tokens ?? max_tokens;
  if ((max_tokens ?? documented) !== documented) {
    throw invalidRequest(
      `max_tokens: ${max_tokens} differs from max_completion_tokens: ${max_completion_tokens}; they are two names of one limit, give one`,
    );
  }
}
