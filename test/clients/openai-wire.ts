// The part of the OpenAI convention that the adapter writes and reads, in types to which those
// of all three majors can be assigned: each major has its own, and none fits another's.

import type { Ask, Turn } from "./client.ts";
import { turnsOf } from "./client.ts";
import { SMALL } from "./test-bed.ts";

export type WireToolCall = {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
};

export type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | WirePart[] }
  | { role: "assistant"; content: string | null; tool_calls?: WireToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export type WirePart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } };

export type WireTool = {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

export type WireBody = {
  model: string;
  messages: WireMessage[];
  tools?: WireTool[];
  tool_choice?: "none" | "auto" | "required" | { type: "function"; function: { name: string } };
  response_format?: { type: "json_object" } | WireSchemaFormat;
  temperature?: number;
  max_completion_tokens?: number;
  reasoning_effort?: "low" | "medium" | "high";
  extended_thinking?: { enabled: boolean; budget_tokens: number; include_reasoning: boolean };
};

export type WireSchemaFormat = {
  type: "json_schema";
  json_schema: { name: string; schema?: Record<string, unknown>; strict?: boolean | null };
};

type Called = { id: string; type: string; function?: { name: string; arguments: string } };

export type WireUsage = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number };
  completion_tokens_details?: { reasoning_tokens?: number };
};

export type WireReplyMessage = { content: string | null; tool_calls?: Called[] | null };

export type WireCompletion = {
  id: string;
  model: string;
  choices: { finish_reason: string; message: WireReplyMessage }[];
  usage?: WireUsage | null;
  _request_id?: string | null;
};

export type WireChunk = {
  id: string;
  model: string;
  choices: {
    finish_reason: string | null;
    delta: { content?: string | null; tool_calls?: WireCallDelta[] };
  }[];
  usage?: WireUsage | null;
};

export type WireCallDelta = {
  index: number;
  id?: string;
  function?: { name?: string; arguments?: string };
};

export function toBody(ask: Ask): WireBody {
  const { tools, toolChoice, format, temperature, maxTokens, thinking, effort } = ask;
  return {
    model: ask.model ?? SMALL,
    messages: turnsOf(ask).map(toMessage),
    ...(tools && { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    ...(toolChoice && {
      tool_choice:
        typeof toolChoice === "string"
          ? toolChoice
          : { type: "function", function: { name: toolChoice.name } },
    }),
    ...(format && { response_format: toFormat(format) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(effort && { reasoning_effort: effort }),
    ...(thinking && {
      extended_thinking: {
        enabled: true,
        budget_tokens: thinking.budgetTokens,
        include_reasoning: thinking.show,
      },
    }),
  };
}

function toFormat(format: NonNullable<Ask["format"]>): NonNullable<WireBody["response_format"]> {
  if (format.type === "json") return { type: "json_object" };
  const { name, schema } = format;
  return { type: "json_schema", json_schema: { name, schema, strict: true } };
}

function toMessage(turn: Turn): WireMessage {
  switch (turn.role) {
    case "system":
      return { role: "system", content: turn.text };
    case "user":
      return { role: "user", content: toContent(turn.text, turn.image) };
    case "assistant":
      if (turn.calls === undefined) return { role: "assistant", content: turn.text };
      return {
        role: "assistant",
        content: turn.text === "" ? null : turn.text,
        tool_calls: turn.calls.map(({ id, name, arguments: given }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(given) },
        })),
      };
    case "tool":
      return { role: "tool", tool_call_id: turn.call.id, content: turn.text };
  }
}

const toContent = (text: string, image: string | undefined): string | WirePart[] =>
  image === undefined
    ? text
    : [
        { type: "text", text },
        { type: "image_url", image_url: { url: image } },
      ];
