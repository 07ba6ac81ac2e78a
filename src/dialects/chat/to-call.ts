// A chat request and the model it names, to the inner call. Everything that depends on the
// model, or on how the messages hang together, is checked on the way.

import { type Call, type Format, invalidRequest } from "../../call/index.ts";
import type { Model, ModelKind } from "../../catalog/index.ts";
import { isTooDeep, MOST_LEVELS } from "../nesting.ts";
import { showName } from "../show-value.ts";
import { convertMessages } from "./convert-messages.ts";
import { chooseTool, convertTools } from "./convert-tools.ts";
import { type OutputCap, planThinking } from "./plan-thinking.ts";
import type { ChatRequest } from "./request-schema.ts";

export type CallContext = {
  /** The request id. */
  readonly id: string;
  /** The resource that calls. */
  readonly caller: string;
  readonly promptCaching: boolean;
  /** Models that can think, to be named where the one asked for cannot. */
  readonly thinkingModels?: readonly string[];
};

export type ChatCall = {
  readonly call: Call;
  readonly includeReasoning: boolean;
  /** Whether the caller set the output cap, or it is the model's maximum. */
  readonly cappedByCaller: boolean;
};

const DEFAULT_TEMPERATURE = 1;
const DEFAULT_TOP_P = 0.999;

const ROUTES: Readonly<Record<Exclude<ModelKind, "chat">, string>> = {
  embedding: "an embedding model: use POST /v1/embeddings",
  rerank: "a rerank model: use POST /v1/rerank",
  image: "an image model: use POST /v1/images/generations",
};

export function toCall(request: ChatRequest, model: Model, context: CallContext): ChatCall {
  if (model.kind !== "chat") {
    throw invalidRequest(`model: ${showName(model.id)} is ${ROUTES[model.kind]}`);
  }
  const cap = capOutput(request, model);
  const thinking = planThinking(request, model, cap, context.thinkingModels ?? []);
  const tools = convertTools(request);
  const call: Call = {
    id: context.id,
    model: model.id,
    caller: context.caller,
    ...convertMessages(request.messages, model),
    tools,
    toolChoice: chooseTool(request, tools),
    parallelToolCalls: request.parallel_tool_calls ?? true,
    sampling: {
      temperature: request.temperature ?? DEFAULT_TEMPERATURE,
      topP: request.top_p ?? DEFAULT_TOP_P,
      stop: typeof request.stop === "string" ? [request.stop] : (request.stop ?? []),
    },
    maxOutputTokens: cap.tokens,
    ...(thinking !== undefined && { thinking }),
    format: convertFormat(request),
    promptCaching: context.promptCaching,
    stream: request.stream ?? false,
  };
  const includeReasoning =
    thinking !== undefined && request.extended_thinking?.include_reasoning === true;
  return { call, includeReasoning, cappedByCaller: cap.field !== null };
}

function capOutput(request: ChatRequest, model: Model): OutputCap {
  const field =
    typeof request.max_completion_tokens === "number" ? "max_completion_tokens" : "max_tokens";
  const tokens = request[field] ?? null;
  if (tokens === null) return { tokens: model.maxOutputTokens, field: null };
  if (tokens > model.maxOutputTokens) {
    throw invalidRequest(
      `${field}: ${tokens} is out of range: it must be between 1 and ${model.maxOutputTokens} for ${model.id}`,
    );
  }
  return { tokens, field };
}

function convertFormat({ response_format: format }: ChatRequest): Format {
  if (!format || format.type === "text") return { type: "text" };
  if (format.type === "json_object") return { type: "json" };
  const { name, schema, strict } = format.json_schema;
  if (isTooDeep(schema)) {
    throw invalidRequest(
      `response_format.json_schema.schema: is nested too deeply: the most is ${MOST_LEVELS} levels`,
    );
  }
  return {
    type: "json_schema",
    name,
    schema: { ...schema },
    ...(typeof strict === "boolean" && { strict }),
  };
}
