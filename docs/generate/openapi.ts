// docs/api/openapi.json: the public API, with the very schemas that requests are checked with.

import { parseConfig } from "../../src/config/index.ts";
import {
  ChatChunkSchema,
  ChatReplySchema,
  ChatRequestSchema,
  ErrorSchema,
} from "../../src/dialects/index.ts";
import { VERSION } from "../../src/version.ts";
import { type JsonObject, plainSchema } from "./json.ts";
import { paths } from "./openapi-paths.ts";
import { createErrorReplies, headers } from "./openapi-replies.ts";

const { name, aliases } = parseConfig("{}", "hearth.json", {}).operator;

const DESCRIPTION = `Model inference behind one API. A client for the usual chat-completions convention works when its base address and its key are changed.

**Keys.** \`Authorization: Bearer KEY\`, exactly as the key was given out. A key belongs to one model, or, on the plan \`standard\`, reaches all of them.

**Errors.** Every error is an \`Error\` whose request id is also in \`X-Request-Id\`. An unknown path, and a route of the convention that is not offered, is 404; a wrong method is 405 with \`Allow\`.

**Limits.** Requests and tokens are counted over an exact sliding minute, per key and model. Every reply to a good key says how it stands in six headers, errors included; on the plan \`standard\` only once the request has named a model that the key reaches.`;

export async function createOpenApi(): Promise<JsonObject> {
  return {
    openapi: "3.1.1",
    info: {
      title: "Hearth",
      version: VERSION,
      summary: "Self-hosted model inference",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "http://127.0.0.1:8080", description: "hearth serve" }],
    security: [{ key: [] }],
    tags: [
      { name: "Chat", description: "Conversations with a model." },
      { name: "Catalog", description: "What models there are." },
      { name: "Operations", description: "For whoever runs the service." },
      { name: "Later releases", description: "Answered with 501 until they are built." },
    ],
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "The key of a provisioned model." },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "x-api-key",
          description: "The same key as the message-style API's older clients send it.",
        },
        metricsToken: {
          type: "http",
          scheme: "bearer",
          description: "`metrics.token` of the configuration, where it is set.",
        },
      },
      parameters: createParameters(),
      headers,
      responses: await createErrorReplies(),
      schemas: {
        ChatRequest: plainSchema(ChatRequestSchema),
        ChatReply: plainSchema(ChatReplySchema),
        ChatChunk: plainSchema(ChatChunkSchema),
        Error: plainSchema(ErrorSchema),
      },
    },
  };
}

function createParameters(): JsonObject {
  return {
    RequestId: {
      name: "X-Request-Id",
      in: "header",
      description: "The caller's own name for the request; without one it gets a new one.",
      schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,128}$" },
    },
    PromptCaching: {
      name: "X-Hearth-Prompt-Caching",
      in: "header",
      description:
        "`false` turns prompt caching off for this request. The middle of the name is the operator's (`operator.name`); its aliases are understood too, such as X-Service-Prompt-Caching.",
      schema: { type: "string", enum: ["true", "false"], default: "true" },
    },
    Operator: {
      name: "operator",
      in: "path",
      required: true,
      description: "`operator.name` of the configuration, or one of its aliases.",
      schema: { type: "string", enum: [name, ...aliases] },
    },
  };
}
