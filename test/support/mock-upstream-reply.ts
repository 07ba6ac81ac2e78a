// The mock upstream's sensible answer: the last user message comes back as text, a forced
// tool is called with arguments of the shape its schema asks for, JSON is answered in JSON.

import type { ServerResponse } from "node:http";
import { asArray, asRecord, asText, type JsonRecord } from "../../src/engines/openai/read-json.ts";
import type { Behaviour, MockRequest } from "./mock-upstream.ts";
import { shapeLikeSchema } from "./mock-upstream-schema.ts";

export type ReplyOptions = {
  /** Says this instead of the last user message. */
  readonly text?: string;
  /** Thinks this first, in `reasoning_content`. */
  readonly thinking?: string;
  /** Awaited before each word of a stream; without it all frames go out in one packet. */
  readonly beforeWord?: () => Promise<void>;
};

type Turn = {
  readonly text: string;
  readonly thinking: string | undefined;
  readonly call: { readonly name: string; readonly arguments: string } | undefined;
};

export function reply(options: ReplyOptions = {}): Behaviour {
  return (request, response) => {
    const turn = takeTurn(request, options);
    if (request.body.stream === true) return stream(request, response, turn, options.beforeWord);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(wholeReply(request, turn)));
    return undefined;
  };
}

function takeTurn({ body }: MockRequest, options: ReplyOptions): Turn {
  const { thinking } = options;
  const tool = forcedTool(body);
  if (tool !== undefined) {
    const shaped = JSON.stringify(shapeLikeSchema(tool.parameters));
    return { text: "", thinking, call: { name: asText(tool.name) ?? "", arguments: shaped } };
  }
  let text = options.text ?? lastUserText(body.messages);
  const format = asRecord(body.response_format);
  if (format?.type === "json_object") text = JSON.stringify({ answer: text });
  if (format?.type === "json_schema") {
    text = JSON.stringify(shapeLikeSchema(asRecord(format.json_schema)?.schema));
  }
  return { text, thinking, call: undefined };
}

function forcedTool(body: JsonRecord): JsonRecord | undefined {
  const tools = asArray(body.tools)?.map((tool) => asRecord(asRecord(tool)?.function)) ?? [];
  if (body.tool_choice === "required") return tools[0];
  const name = asText(asRecord(asRecord(body.tool_choice)?.function)?.name);
  return name === undefined ? undefined : tools.find((tool) => tool?.name === name);
}

function lastUserText(messages: unknown): string {
  const message = asArray(messages)
    ?.map(asRecord)
    .findLast((each) => each?.role === "user");
  const content = message?.content;
  if (typeof content === "string") return content;
  return (asArray(content) ?? []).map((part) => asText(asRecord(part)?.text) ?? "").join("");
}

const countTokens = (text: string): number => Math.ceil(text.length / 4);

function usageOf(request: MockRequest, turn: Turn): object {
  const prompt = countTokens(JSON.stringify(request.body.messages ?? ""));
  const thinking = countTokens(turn.thinking ?? "");
  const completion = countTokens(turn.text + (turn.call?.arguments ?? "")) + thinking;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thinking },
  };
}

function wholeReply(request: MockRequest, turn: Turn): object {
  const { text, thinking, call } = turn;
  const message = {
    role: "assistant",
    content: call === undefined ? text : null,
    ...(thinking !== undefined && { reasoning_content: thinking }),
    ...(call !== undefined && {
      tool_calls: [{ id: "call_mock_1", type: "function", function: call }],
    }),
  };
  return {
    id: "chatcmpl-mock",
    object: "chat.completion",
    created: 1_700_000_000,
    model: request.body.model,
    choices: [{ index: 0, message, finish_reason: call === undefined ? "stop" : "tool_calls" }],
    usage: usageOf(request, turn),
  };
}

async function stream(
  request: MockRequest,
  response: ServerResponse,
  turn: Turn,
  beforeWord: (() => Promise<void>) | undefined,
): Promise<void> {
  const model = JSON.stringify(request.body.model ?? null);
  const head = `data: {"id":"chatcmpl-mock","object":"chat.completion.chunk","created":1700000000,"model":${model},`;
  const chunk = (delta: object, reason: string | null): string =>
    `${head}"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(reason)}}]}\n\n`;

  const frames = [chunk({ role: "assistant", content: "" }, null)];
  for (const word of words(turn.thinking ?? "")) {
    frames.push(chunk({ reasoning_content: word }, null));
  }
  for (const word of words(turn.text)) frames.push(chunk({ content: word }, null));
  if (turn.call !== undefined) {
    const { name, arguments: written } = turn.call;
    const start = { index: 0, id: "call_mock_1", type: "function" };
    frames.push(chunk({ tool_calls: [{ ...start, function: { name, arguments: "" } }] }, null));
    const rest = { index: 0, function: { arguments: written } };
    frames.push(chunk({ tool_calls: [rest] }, null));
  }
  let tail = chunk({}, turn.call === undefined ? "stop" : "tool_calls");
  tail += `${head}"choices":[],"usage":${JSON.stringify(usageOf(request, turn))}}\n\ndata: [DONE]\n\n`;

  response.writeHead(200, { "content-type": "text/event-stream" });
  if (beforeWord !== undefined) {
    for (const frame of frames) {
      await beforeWord();
      response.write(frame);
    }
    response.end(tail);
  } else {
    response.end(frames.join("") + tail);
  }
}

const words = (text: string): readonly string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
