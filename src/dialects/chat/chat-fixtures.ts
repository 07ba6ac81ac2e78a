// What the tests of this folder share: two models, one request, and the way to a call.

import { ServiceError } from "../../call/index.ts";
import type { Model } from "../../catalog/index.ts";
import { parseChatRequest } from "./parse-chat-request.ts";
import { type CallContext, type ChatCall, toCall } from "./to-call.ts";

export const mid: Model = {
  id: "claude-4-sonnet",
  kind: "chat",
  tier: "mid",
  generation: "4",
  thinking: { minBudgetTokens: 1024, maxBudgetTokens: 8192 },
  vision: true,
  context: 200_000,
  maxOutputTokens: 8192,
  limits: { requests: 150, tokens: 800_000 },
  cacheMinTokens: 1024,
  regions: ["local"],
  engines: [],
};

export const small: Model = {
  ...mid,
  id: "claude-3-5-haiku",
  tier: "small",
  generation: "3.5",
  thinking: null,
  vision: false,
  maxOutputTokens: 4096,
};

export const context: CallContext = { id: "req-1", caller: "res-1", promptCaching: true };

export const hello = { role: "user", content: "Hello" };

export const weather = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Weather of a city",
    parameters: {
      type: "object",
      properties: { city: { type: "string", description: "Where" } },
      required: ["city"],
    },
  },
};

/** A good body with these fields laid over it. */
export const bodyWith = (fields: object): object => ({
  model: "claude-4-sonnet",
  messages: [hello],
  ...fields,
});

export const callOf = (fields: object, model: Model = mid, given = context): ChatCall =>
  toCall(parseChatRequest(bodyWith(fields)), model, given);

/** What a refusal says, however it was thrown; fails on anything but a 400. */
export function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status !== 400 || error.type !== "invalid_request_error") throw error;
    return error.message;
  }
  throw new Error("was not refused");
}
