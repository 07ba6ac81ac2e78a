// An assistant message of the history to the inner one: first what it thought, then what it
// said, then what it called, the order in which models write them.

import {
  type AssistantMessage,
  invalidRequest,
  type ServiceError,
  type ThinkingPart,
  type ToolCallPart,
} from "../../call/index.ts";
import { isTooDeep, MOST_LEVELS } from "../nesting.ts";
import { showValue } from "../show-value.ts";
import type { ChatAssistantMessage, ChatReasoning, ChatToolCall } from "./message-schema.ts";

type Part = AssistantMessage["parts"][number];

export function convertAssistantMessage(
  message: ChatAssistantMessage,
  index: number,
): AssistantMessage {
  const said = textsOf(message);
  const calls = message.tool_calls ?? [];
  if (said.length === 0 && calls.length === 0) {
    throw invalidRequest(`messages[${index}]: an assistant message needs content or tool_calls`);
  }
  const parts: Part[] = message.reasoning ? convertReasoning(message.reasoning) : [];
  for (const text of said) if (text !== "") parts.push({ type: "text", text });
  calls.forEach((call, position) => {
    parts.push(convertToolCall(call, index, position));
  });
  // A model may have said nothing at all: that turn stays a turn.
  if (parts.length === 0) parts.push({ type: "text", text: "" });
  return { role: "assistant", parts };
}

function textsOf({ content, refusal }: ChatAssistantMessage): readonly string[] {
  if (typeof content === "string") return content === "" && refusal ? [refusal] : [content];
  if (content && content.length > 0) {
    return content.map((part) => (part.type === "text" ? part.text : part.refusal));
  }
  return refusal ? [refusal] : [];
}

function convertReasoning({ thinking, signature, blocks }: ChatReasoning): Part[] {
  if (blocks && blocks.length > 0) {
    return blocks.map((block) =>
      block.type === "redacted_thinking"
        ? { type: "redacted_thinking", data: block.data }
        : thinkingPart(block.thinking, block.signature),
    );
  }
  return thinking === "" && !signature ? [] : [thinkingPart(thinking, signature)];
}

const thinkingPart = (text: string, signature: string | null | undefined): ThinkingPart =>
  signature ? { type: "thinking", text, signature } : { type: "thinking", text };

function convertToolCall(call: ChatToolCall, message: number, position: number): ToolCallPart {
  const { name, arguments: given } = call.function;
  // Tools without parameters come back with no arguments at all from some engines.
  const written = given.trim() === "" ? "{}" : given;
  const parsed = parseJson(written);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw refuse(message, position, `${showValue(given)} is not a JSON object`);
  }
  if (isTooDeep(parsed)) {
    throw refuse(message, position, `is nested too deeply: the most is ${MOST_LEVELS} levels`);
  }
  return { type: "tool_call", id: call.id, name, arguments: written };
}

const refuse = (message: number, position: number, problem: string): ServiceError =>
  invalidRequest(`messages[${message}].tool_calls[${position}].function.arguments: ${problem}`);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
