// The suite's client over the AI SDK with its provider for OpenAI-compatible services.

import { createOpenAICompatible, type OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import { asRecord, asText } from "../../src/engines/openai/read-json.ts";
import {
  type Access,
  type Answer,
  type Ask,
  type Client,
  type Counts,
  type Library,
  type Refusal,
  type StreamedAnswer,
  type Turn,
  turnsOf,
} from "./client.ts";
import { SMALL } from "./test-bed.ts";

export const aiSdkLibrary: Library = {
  name: "ai with @ai-sdk/openai-compatible",
  sendsToolChoice: "auto",
  hidesReasoning:
    "the provider takes `reasoning` as a string only, and the service sends an object",
  connect,
};

export const createProvider = ({ baseUrl, key }: Access): OpenAICompatibleProvider =>
  createOpenAICompatible({
    name: "hearth",
    baseURL: baseUrl,
    apiKey: key,
    supportsStructuredOutputs: true,
  });

function connect(access: Access): Client {
  const provider = createProvider(access);
  return {
    ask: (ask) => askWhole(settingsOf(provider, access, ask)),
    stream: (ask, onPiece = () => {}) => askStreamed(settingsOf(provider, access, ask), onPiece),
    explain,
  };
}

type Settings = ReturnType<typeof settingsOf>;

function settingsOf(provider: OpenAICompatibleProvider, { retries }: Access, ask: Ask) {
  const [first, ...rest] = turnsOf(ask);
  const turns = first?.role === "system" ? rest : turnsOf(ask);
  const { tools = [], toolChoice, thinking, format } = ask;
  return {
    model: provider(ask.model ?? SMALL),
    maxRetries: retries,
    ...(first?.role === "system" && { system: first.text }),
    messages: turns.map(toMessage),
    ...(tools.length > 0 && { tools: toToolSet(tools) }),
    ...(toolChoice && {
      toolChoice:
        typeof toolChoice === "string"
          ? toolChoice
          : ({ type: "tool", toolName: toolChoice.name } as const),
    }),
    ...(format && { output: toOutput(format) }),
    ...(ask.temperature !== undefined && { temperature: ask.temperature }),
    ...(ask.maxTokens !== undefined && { maxOutputTokens: ask.maxTokens }),
    ...(ask.signal && { abortSignal: ask.signal }),
    providerOptions: {
      hearth: {
        ...(ask.effort && { reasoningEffort: ask.effort }),
        ...(thinking && {
          extended_thinking: {
            enabled: true,
            budget_tokens: thinking.budgetTokens,
            include_reasoning: thinking.show,
          },
        }),
      },
    },
  };
}

const toToolSet = (tools: NonNullable<Ask["tools"]>): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );

const toOutput = (format: NonNullable<Ask["format"]>) =>
  format.type === "json"
    ? Output.json()
    : Output.object({ name: format.name, schema: jsonSchema(format.schema) });

function toMessage(turn: Turn): ModelMessage {
  switch (turn.role) {
    case "system":
      return { role: "system", content: turn.text };
    case "user":
      if (turn.image === undefined) return { role: "user", content: turn.text };
      return {
        role: "user",
        content: [
          { type: "text", text: turn.text },
          { type: "image", image: turn.image },
        ],
      };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(turn.text === "" ? [] : [{ type: "text", text: turn.text } as const]),
          ...(turn.calls ?? []).map(
            ({ id, name, arguments: input }) =>
              ({ type: "tool-call", toolCallId: id, toolName: name, input }) as const,
          ),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: turn.call.id,
            toolName: turn.call.name,
            output: { type: "text", value: turn.text },
          },
        ],
      };
  }
}

async function askWhole(settings: Settings): Promise<Answer> {
  const result = await generateText(settings);
  const { response } = result;
  return {
    id: response.id,
    model: response.modelId,
    text: result.text,
    finishReason: result.rawFinishReason,
    calls: result.toolCalls.map(toCall),
    reasoning: result.reasoningText ?? "",
    usage: readCounts(result.usage),
    requestId: response.headers?.["x-request-id"],
    header: (name) => response.headers?.[name],
  };
}

async function askStreamed(
  settings: Settings,
  onPiece: (text: string) => void,
): Promise<StreamedAnswer> {
  const result = streamText({ ...settings, onError: () => {} });
  const pieces: string[] = [];
  const finishReasons: string[] = [];
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") {
      pieces.push(part.text);
      onPiece(part.text);
    }
    if (part.type === "finish-step") finishReasons.push(part.rawFinishReason ?? part.finishReason);
  }
  const response = await result.response;
  return {
    id: response.id,
    model: response.modelId,
    text: await result.text,
    pieces,
    finishReason: await result.rawFinishReason,
    finishReasons,
    calls: (await result.toolCalls).map(toCall),
    reasoning: (await result.reasoningText) ?? "",
    usage: readCounts(await result.usage),
    requestId: response.headers?.["x-request-id"],
    header: (name) => response.headers?.[name],
  };
}

const toCall = (call: { toolCallId: string; toolName: string; input: unknown }) => ({
  id: call.toolCallId,
  name: call.toolName,
  arguments: call.input,
});

const readCounts = (usage: LanguageModelUsage): Counts => ({
  prompt: usage.inputTokens,
  completion: usage.outputTokens,
  total: usage.totalTokens,
  cached: usage.inputTokenDetails.cacheReadTokens,
  reasoning: usage.outputTokenDetails.reasoningTokens,
});

const KINDS: ReadonlyMap<number | undefined, Refusal["kind"]> = new Map([
  [400, "bad_request"],
  [401, "authentication"],
  [403, "permission"],
  [429, "rate_limit"],
  [502, "server"],
]);

function explain(error: unknown): Refusal {
  if (!APICallError.isInstance(error)) return explainFrame(error);
  const { statusCode, responseHeaders, data } = error;
  return {
    kind: KINDS.get(statusCode) ?? "other",
    status: statusCode,
    message: error.message,
    type: asText(asRecord(asRecord(data)?.error)?.type),
    requestId: responseHeaders?.["x-request-id"],
    header: (name) => responseHeaders?.[name],
  };
}

/** An error frame comes as the plain object that it is on the wire. */
function explainFrame(error: unknown): Refusal {
  const frame = error instanceof Error ? undefined : asRecord(error);
  return {
    kind: frame === undefined ? "other" : "stream",
    status: undefined,
    message: asText(frame?.message) ?? String(error),
    type: asText(frame?.type),
    requestId: undefined,
    header: () => undefined,
  };
}
