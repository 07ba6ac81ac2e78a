// The routes of the API description. Which ones there are is the server's to say: a test
// holds this list against it, both ways.

import type { JsonObject } from "./json.ts";
import { brokenStream, chatReplies, chatRequests, chatStream } from "./openapi-examples.ts";
import { inferenceHeaders, openHeaders, refuse } from "./openapi-replies.ts";

const requestId = { $ref: "#/components/parameters/RequestId" };

const chat = {
  operationId: "createChatCompletion",
  tags: ["Chat"],
  summary: "Answer a conversation",
  description:
    "A conversation goes in, one assistant message comes out: whole, or as an event stream where `stream` is true. Fields that clients of the convention send by habit are accepted and ignored; any other unknown field is refused, unless `allow_ignored_params` is true.",
  parameters: [requestId, { $ref: "#/components/parameters/PromptCaching" }],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/ChatRequest" },
        examples: chatRequests,
      },
    },
  },
  responses: {
    "200": {
      description:
        "The completion. A stream is a sequence of `data:` lines, each with one ChatChunk; the last chunk counts the tokens, and `event: done` with `data: [DONE]` ends it. Lines that begin with a colon are comments that keep the connection alive. A failure after the first byte is one `data:` line with an `error`, and no `[DONE]` follows.",
      headers: inferenceHeaders,
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/ChatReply" },
          examples: chatReplies,
        },
        "text/event-stream": {
          schema: { type: "string", description: "Frames whose data is a ChatChunk, or [DONE]." },
          examples: {
            whole: { summary: "A stream", value: chatStream() },
            broken: { summary: "A stream that failed on its way", value: brokenStream() },
          },
        },
      },
    },
    ...refuse(
      [400, "BadRequest"],
      [401, "Unauthorized"],
      [403, "Forbidden"],
      [413, "TooLarge"],
      [415, "UnsupportedMediaType"],
      [429, "RateLimited"],
      [500, "ServerError"],
      [502, "UpstreamFailed"],
      [503, "Overloaded"],
      [504, "TimedOut"],
    ),
  },
};

const later = (operationId: string, summary: string, parameters: readonly object[] = []) => ({
  operationId,
  tags: ["Later releases"],
  summary,
  description: "The route is there and asks for the key, so that a client's set-up can be tried.",
  parameters: [requestId, ...parameters],
  responses: refuse([401, "Unauthorized"], [501, "NotBuilt"]),
});

const open = (
  operationId: string,
  tag: string,
  summary: string,
  description: string,
  schema: JsonObject,
  example: unknown,
) => ({
  operationId,
  tags: [tag],
  summary,
  parameters: [requestId],
  security: [],
  responses: {
    "200": {
      description,
      headers: openHeaders,
      content: { "application/json": { schema, example } },
    },
  },
});

const eitherHeader = { security: [{ key: [] }, { apiKey: [] }] };

const health = {
  type: "object",
  required: ["status"],
  properties: {
    status: { type: "string", enum: ["alive", "starting", "ready", "draining"] },
    reasons: { type: "array", items: { type: "string" }, description: "Why it is not ready." },
  },
};

const ready = open(
  "isReady",
  "Operations",
  "Whether the service wants requests",
  "It does.",
  health,
  { status: "ready" },
);

const models = open(
  "listAvailableModels",
  "Catalog",
  "The models of the service",
  "Every model that something here runs.",
  {
    type: "array",
    items: {
      type: "object",
      required: ["model_id", "type", "regions"],
      properties: {
        model_id: { type: "string", description: "What `model` of a request names." },
        type: {
          type: "array",
          items: {
            type: "string",
            enum: ["text-to-text", "text-to-embedding", "text-to-image", "text-to-ranking"],
          },
        },
        regions: { type: "array", items: { type: "string" } },
      },
    },
  },
  [{ model_id: "claude-3-5-haiku", type: ["text-to-text"], regions: ["local"] }],
);

const metrics = {
  operationId: "readMetrics",
  tags: ["Operations"],
  summary: "Prometheus metrics",
  parameters: [requestId],
  security: [{}, { metricsToken: [] }],
  responses: {
    "200": {
      description: "All numbers of this process.",
      headers: openHeaders,
      content: { "text/plain": { schema: { type: "string" } } },
    },
    ...refuse([401, "Unauthorized"]),
  },
};

export const paths: JsonObject = {
  "/v1/chat/completions": { post: chat },
  "/v1/messages": {
    post: { ...later("createMessage", "Answer a conversation, message style"), ...eitherHeader },
  },
  "/v1/messages/count_tokens": {
    post: { ...later("countMessageTokens", "Count a prompt's tokens"), ...eitherHeader },
  },
  "/v1/embeddings": { post: later("createEmbeddings", "Embed texts") },
  "/v1/images/generations": { post: later("createImage", "Make an image from a prompt") },
  "/v1/rerank": { post: later("rerank", "Order documents by relevance") },
  "/v2/rerank": { post: later("rerankV2", "Order documents by relevance, vendor's path") },
  "/v1/mcp/servers": { get: later("listMcpServers", "The tool servers registered for the key") },
  "/v1/agents/{operator}": {
    post: later("runAgent", "Run tools until the task is done", [
      { $ref: "#/components/parameters/Operator" },
    ]),
  },
  "/available-models": { get: models },
  "/livez": {
    get: open("isAlive", "Operations", "Whether the process lives", "It does.", health, {
      status: "alive",
    }),
  },
  "/readyz": {
    get: {
      ...ready,
      responses: {
        ...ready.responses,
        "503": {
          description: "It starts or stops.",
          headers: openHeaders,
          content: {
            "application/json": {
              schema: health,
              example: { status: "draining", reasons: ["the service is shutting down"] },
            },
          },
        },
      },
    },
  },
  "/metrics": { get: metrics },
};
