// Headers and error replies of the API description: what every route shares.

import type { JsonObject } from "./json.ts";
import { createErrorExamples } from "./openapi-examples.ts";

const count = { type: "integer", minimum: 0 };
const duration = { type: "string", pattern: "^\\d+s$" };

const limitHeaders = {
  "X-RateLimit-Limit-Requests": ["Requests that the model allows in a minute.", count, 200],
  "X-RateLimit-Remaining-Requests": ["Requests left in the sliding minute.", count, 199],
  "X-RateLimit-Reset-Requests": [
    "Time until the oldest request leaves the sliding minute.",
    duration,
    "51s",
  ],
  "X-RateLimit-Limit-Tokens": [
    "Tokens that the model allows in a minute. Absent where it has no such limit.",
    count,
    800_000,
  ],
  "X-RateLimit-Remaining-Tokens": [
    "Tokens left in the sliding minute, those reserved by running requests taken off.",
    count,
    795_870,
  ],
  "X-RateLimit-Reset-Tokens": [
    "Time until the oldest tokens leave the sliding minute.",
    duration,
    "51s",
  ],
} as const;

export const headers: JsonObject = {
  "X-Request-Id": {
    description:
      "Names the request in logs and when asking for help: the caller's own where it sent a sane one.",
    schema: { type: "string" },
    example: "5f0c1b6e-9f5e-4d43-9f0e-1c2a7e0f6b11",
  },
  "Server-Timing": {
    description: "Milliseconds that Hearth added, and that it waited for the engine.",
    schema: { type: "string" },
    example: "hearth;dur=0.412, engine;dur=184.020",
  },
  "Retry-After": {
    description: "Seconds after which it makes sense to try again.",
    schema: { type: "integer", minimum: 1 },
    example: 7,
  },
  ...Object.fromEntries(
    Object.entries(limitHeaders).map(([name, [description, schema, example]]) => [
      name,
      { description, schema, example },
    ]),
  ),
};

const refer = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Of a reply to anybody. */
export const openHeaders = refer(["X-Request-Id"]);
/** Of a reply to a caller whose key was good. */
export const callerHeaders = refer(["X-Request-Id", ...Object.keys(limitHeaders)]);
/** Of a reply that a model gave. */
export const inferenceHeaders = {
  ...refer(["X-Request-Id", "Server-Timing"]),
  ...refer(Object.keys(limitHeaders)),
};
const retryHeaders = { ...callerHeaders, ...refer(["Retry-After"]) };

const error = { $ref: "#/components/schemas/Error" };

export async function createErrorReplies(): Promise<JsonObject> {
  const examples = await createErrorExamples();
  const reply = (description: string, names: readonly string[], replyHeaders = callerHeaders) => ({
    description,
    headers: replyHeaders,
    content: {
      "application/json": {
        schema: error,
        examples: Object.fromEntries(names.map((name) => [name, { value: examples[name] }])),
      },
    },
  });
  return {
    BadRequest: reply(
      "A field is missing, unknown or out of range; the message names it with its value and range.",
      ["invalid", "unknown_field"],
    ),
    Unauthorized: reply(
      "The key is missing, malformed, truncated, padded, encoded, or was regenerated.",
      ["missing_key", "wrong_key"],
      openHeaders,
    ),
    Forbidden: reply("The key is good, but the model is not provisioned for it.", ["other_model"]),
    TooLarge: reply("The body is larger than http.body_limit.", ["too_large"]),
    UnsupportedMediaType: reply("The body is not declared as application/json.", ["wrong_type"]),
    RateLimited: reply(
      "The requests or tokens of the sliding minute are used up.",
      ["limited"],
      retryHeaders,
    ),
    ServerError: reply("Something went wrong inside Hearth.", ["inside"]),
    NotBuilt: reply("The route comes with a later release.", ["later"]),
    UpstreamFailed: reply("What runs the model failed.", ["upstream"]),
    Overloaded: reply(
      "What runs the model, or Hearth itself, takes no more work at the moment.",
      ["overloaded"],
      retryHeaders,
    ),
    TimedOut: reply("What runs the model did not answer in time.", ["late"]),
  };
}

export const refuse = (
  ...names: readonly (readonly [status: number, name: string])[]
): JsonObject =>
  Object.fromEntries(
    names.map(([status, name]) => [`${status}`, { $ref: `#/components/responses/${name}` }]),
  );
