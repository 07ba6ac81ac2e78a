// Examples of the API description. Replies are written by the code that writes the real ones,
// and errors are thrown by the code that throws them, so an example cannot grow old.

import { ServiceError } from "../../src/call/index.ts";
import { createCatalog } from "../../src/catalog/index.ts";
import {
  createChatBody,
  createChatStream,
  parseChatRequest,
  type ReplyOptions,
  renderError,
} from "../../src/dialects/index.ts";
import {
  createAdmission,
  createKeyRing,
  createMemorySharedState,
  reachModel,
} from "../../src/gate/index.ts";
import { asObject, type JsonObject } from "./json.ts";

const SMALL = "claude-3-5-haiku";
const THINKING = "claude-4-sonnet";
const REQUEST_ID = "5f0c1b6e-9f5e-4d43-9f0e-1c2a7e0f6b11";

const hello = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is a hearth?" },
];

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather in a city",
    parameters: {
      type: "object",
      properties: { city: { type: "string", description: "Name of the city" } },
      required: ["city"],
    },
  },
};

const named = (summary: string, value: unknown) => ({ summary, value });

export const chatRequests = {
  plain: named("A question", { model: SMALL, messages: hello, max_completion_tokens: 256 }),
  stream: named("A streamed answer", { model: SMALL, messages: hello, stream: true }),
  tools: named("A tool call", {
    model: SMALL,
    messages: [{ role: "user", content: "What is the weather in Bergen?" }],
    tools: [weather],
    tool_choice: "auto",
  }),
  tool_result: named("The result of a tool call", {
    model: SMALL,
    messages: [
      { role: "user", content: "What is the weather in Bergen?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          {
            id: "tooluse_QZ0mH3c1T1mJ5n0sXw2v1A",
            type: "function",
            function: { name: "get_weather", arguments: '{"city":"Bergen"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "tooluse_QZ0mH3c1T1mJ5n0sXw2v1A", content: "Rain" },
    ],
    tools: [weather],
    tool_choice: "auto",
  }),
  thinking: named("Extended thinking", {
    model: THINKING,
    messages: [{ role: "user", content: "Is 91 a prime?" }],
    extended_thinking: { enabled: true, budget_tokens: 1024, include_reasoning: true },
  }),
  json: named("JSON mode", {
    model: SMALL,
    messages: [{ role: "user", content: "Three colours, as JSON." }],
    response_format: { type: "json_object" },
  }),
};

const replyOptions = (model: string): ReplyOptions => ({
  id: "2a1c9f9e-4f0c-4e2d-9d61-0d3f8c1b7a55",
  created: 1_790_000_000,
  model,
  includeReasoning: true,
});

const usage = { promptTokens: 21, completionTokens: 9, estimated: false };

function body(
  model: string,
  events: readonly Parameters<ReturnType<typeof createChatBody>["event"]>[0][],
) {
  const renderer = createChatBody(replyOptions(model));
  for (const event of events) renderer.event(event);
  return asObject(JSON.parse(renderer.end(usage)));
}

export const chatReplies = {
  plain: named(
    "An answer",
    body(SMALL, [
      { type: "text", text: "The place where the fire is." },
      { type: "finish", reason: "stop" },
    ]),
  ),
  tools: named(
    "A tool call",
    body(SMALL, [
      {
        type: "tool_call",
        id: "tooluse_QZ0mH3c1T1mJ5n0sXw2v1A",
        name: "get_weather",
        arguments: '{"city":"Bergen"}',
      },
      { type: "finish", reason: "tool_calls" },
    ]),
  ),
  thinking: named(
    "An answer with its reasoning",
    body(THINKING, [
      { type: "thinking", text: "91 = 7 × 13." },
      { type: "text", text: "No: 7 times 13 is 91." },
      { type: "finish", reason: "stop" },
    ]),
  ),
};

export function chatStream(): string {
  const renderer = createChatStream(replyOptions(SMALL));
  return [
    renderer.event({ type: "text", text: "The place" }),
    renderer.event({ type: "text", text: " where the fire is." }),
    renderer.event({ type: "finish", reason: "stop" }),
    renderer.end(usage),
  ].join("");
}

/** A stream that broke off in the middle. */
export function brokenStream(): string {
  const renderer = createChatStream(replyOptions(SMALL));
  const error = fault(502, "server_error", "The model's server closed the connection");
  return renderer.event({ type: "text", text: "The place" }) + renderer.error(error, REQUEST_ID);
}

const fault = (status: number, type: ServiceError["type"], message: string): ServiceError =>
  new ServiceError({ status, type, message });

/** The body of the error that this work throws. */
async function thrown(work: () => unknown): Promise<JsonObject> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ServiceError) return show(error);
    throw error;
  }
  throw new Error("an example of an error threw none");
}

const show = (error: ServiceError): JsonObject =>
  asObject(JSON.parse(renderError(error, REQUEST_ID)));

export async function createErrorExamples(): Promise<Readonly<Record<string, JsonObject>>> {
  const keyRing = createKeyRing();
  keyRing.replaceAll([]);
  const resource = { plan: "model", model: SMALL } as const;
  const admission = createAdmission({ sharedState: createMemorySharedState() });
  const limits = { requests: 1, tokens: null };
  const once = { resource: { id: "r" }, model: { id: SMALL, limits }, reserveTokens: 0 };
  await admission.admit(once);
  return {
    invalid: await thrown(() =>
      parseChatRequest({ model: SMALL, messages: hello, temperature: 2 }),
    ),
    unknown_field: await thrown(() =>
      parseChatRequest({ model: SMALL, messages: hello, top_k: 40 }),
    ),
    missing_key: await thrown(() => keyRing.authenticate(undefined)),
    wrong_key: await thrown(() => keyRing.authenticate("Bearer inf-wrong")),
    other_model: await thrown(() => reachModel(resource, THINKING, createCatalog({}))),
    limited: await thrown(() => admission.admit(once)),
    too_large: show(
      fault(
        413,
        "invalid_request_error",
        "The body of 50000000 bytes is larger than the limit of 33554432 bytes",
      ),
    ),
    wrong_type: show(
      fault(415, "invalid_request_error", "Content-Type must be application/json; got text/plain"),
    ),
    later: show(fault(501, "server_error", "POST /v1/embeddings is not available in this release")),
    upstream: show(fault(502, "server_error", "The model's server closed the connection")),
    overloaded: show(fault(503, "overloaded_error", "The model is busy; try again shortly")),
    late: show(fault(504, "timeout_error", "The model's server did not answer in time")),
    inside: show(
      fault(
        500,
        "server_error",
        "Something went wrong inside; quote the request id when you report it",
      ),
    ),
  };
}
