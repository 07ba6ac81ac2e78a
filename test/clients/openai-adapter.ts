// The suite's client over one major of the OpenAI library.

import { asArray, asRecord, asText } from "../../src/engines/openai/read-json.ts";
import type {
  Access,
  Answer,
  Ask,
  Client,
  Counts,
  Library,
  Refusal,
  StreamedAnswer,
  ToolCall,
} from "./client.ts";
import type { CallOptions, Major, MajorClient } from "./openai-majors.ts";
import { toBody, type WireChunk, type WireReplyMessage, type WireUsage } from "./openai-wire.ts";

export const openAiLibrary = (major: Major): Library => ({
  name: major.name,
  sendsToolChoice: undefined,
  hidesReasoning: undefined,
  connect: (access) => connect(major, access),
});

export function connect(major: Major, { baseUrl, key, retries }: Access): Client {
  const client = major.open({ baseURL: baseUrl, apiKey: key, maxRetries: retries });
  return {
    ask: (ask) => askWhole(client, ask),
    stream: (ask, onPiece = () => {}) => askStreamed(client, ask, onPiece),
    explain: (error) => explain(major, error),
  };
}

const callOptions = ({ signal }: Ask): CallOptions => (signal === undefined ? {} : { signal });

async function askWhole(client: MajorClient, ask: Ask): Promise<Answer> {
  const { data, response } = await client.create(toBody(ask), callOptions(ask));
  const [choice] = data.choices;
  if (choice === undefined || data.choices.length > 1) throw new Error("not exactly one choice");
  return {
    id: data.id,
    model: data.model,
    text: choice.message.content ?? "",
    finishReason: choice.finish_reason,
    calls: readCalls(choice.message),
    reasoning: readThinking(choice.message),
    usage: readCounts(data.usage),
    requestId: data._request_id ?? undefined,
    header: (name) => response.headers.get(name) ?? undefined,
  };
}

async function askStreamed(
  client: MajorClient,
  ask: Ask,
  onPiece: (text: string) => void,
): Promise<StreamedAnswer> {
  const {
    data,
    response,
    request_id: requestId,
  } = await client.createStream(toBody(ask), callOptions(ask));
  const pieces: string[] = [];
  const finishReasons: string[] = [];
  const calls: WireToolPieces[] = [];
  let reasoning = "";
  let last: WireChunk | undefined;
  for await (const chunk of data) {
    last = chunk;
    for (const { delta, finish_reason } of chunk.choices) {
      if (delta.content) {
        pieces.push(delta.content);
        onPiece(delta.content);
      }
      reasoning += readThinking(delta);
      for (const { index, id, function: piece } of delta.tool_calls ?? []) {
        calls[index] ??= { id: "", name: "", arguments: "" };
        calls[index].id += id ?? "";
        calls[index].name += piece?.name ?? "";
        calls[index].arguments += piece?.arguments ?? "";
      }
      if (finish_reason) finishReasons.push(finish_reason);
    }
  }
  return {
    id: last?.id,
    model: last?.model,
    text: pieces.join(""),
    pieces,
    finishReason: finishReasons[0],
    finishReasons,
    calls: calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) })),
    reasoning,
    usage: readCounts(last?.usage),
    requestId: requestId ?? undefined,
    header: (name) => response.headers.get(name) ?? undefined,
  };
}

type WireToolPieces = { id: string; name: string; arguments: string };

const readCalls = ({ tool_calls }: WireReplyMessage): ToolCall[] =>
  (tool_calls ?? []).map(({ id, function: called }) => ({
    id,
    name: called?.name ?? "",
    arguments: JSON.parse(called?.arguments ?? ""),
  }));

/** `reasoning` is an extra field: the library hands it through untyped. */
const readThinking = (message: object): string =>
  "reasoning" in message ? (asText(asRecord(message.reasoning)?.thinking) ?? "") : "";

const readCounts = (usage: WireUsage | null | undefined): Counts => ({
  prompt: usage?.prompt_tokens,
  completion: usage?.completion_tokens,
  total: usage?.total_tokens,
  cached: usage?.prompt_tokens_details?.cached_tokens,
  reasoning: usage?.completion_tokens_details?.reasoning_tokens,
});

function explain({ errors }: Major, error: unknown): Refusal {
  const fields = new Map(error instanceof Error ? Object.entries(error) : []);
  const said = asRecord(fields.get("error"));
  const status = fields.get("status");
  const headers = fields.get("headers");
  return {
    kind: kindOf(errors, error, status),
    status: typeof status === "number" ? status : undefined,
    message: asText(said?.message) ?? String(error),
    type: asText(fields.get("type")),
    requestId: asText(fields.get("requestID")) ?? asText(fields.get("request_id")),
    header: (name) => readHeader(headers, name),
  };
}

function kindOf(errors: Major["errors"], error: unknown, status: unknown): Refusal["kind"] {
  if (error instanceof errors.AuthenticationError) return "authentication";
  if (error instanceof errors.PermissionDeniedError) return "permission";
  if (error instanceof errors.RateLimitError) return "rate_limit";
  if (error instanceof errors.BadRequestError) return "bad_request";
  if (error instanceof errors.InternalServerError) return "server";
  return error instanceof errors.APIError && status === undefined ? "stream" : "other";
}

/** Major 4 keeps them as a plain object, the later ones as Headers. */
function readHeader(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = asRecord(headers)?.[name];
  return asText(asArray(value)?.[0] ?? value);
}
