// The history of a chat request to inner messages. System messages that open it become the
// call's system prompt, the part that may be cached; later ones stay where they are.

import {
  invalidRequest,
  type Message,
  type TextPart,
  type ToolResultPart,
  type UserMessage,
} from "../../call/index.ts";
import { convertAssistantMessage } from "./convert-assistant-message.ts";
import { convertImageUrl } from "./convert-image-url.ts";
import type { ChatMessage, ChatTextContent, ChatUserMessage } from "./message-schema.ts";
import { createToolExchange } from "./tool-exchange.ts";

export type Conversation = {
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
};

/** `model` says whether images may be shown to it, and how it is called where they may not. */
export function convertMessages(
  history: readonly ChatMessage[],
  model: { readonly id: string; readonly vision: boolean },
): Conversation {
  const system: TextPart[] = [];
  const messages: Message[] = [];
  const exchange = createToolExchange();
  let results: ToolResultPart[] | undefined;

  history.forEach((message, index) => {
    if (message.role === "tool") {
      exchange.answer(message.tool_call_id, index);
      if (results === undefined) {
        results = [];
        messages.push({ role: "tool", parts: results });
      }
      results.push({
        type: "tool_result",
        callId: message.tool_call_id,
        parts: textParts(message.content),
        isError: false,
      });
      return;
    }
    exchange.close();
    results = undefined;
    switch (message.role) {
      case "user":
        messages.push(convertUserMessage(message, index, model));
        break;
      case "assistant":
        messages.push(convertAssistantMessage(message, index));
        exchange.ask(message.tool_calls ?? [], index);
        break;
      default: {
        const parts = textParts(message.content).filter(({ text }) => text !== "");
        if (messages.length === 0) system.push(...parts);
        else if (parts.length > 0) messages.push({ role: "system", parts });
      }
    }
  });
  exchange.close();
  if (messages.length === 0) {
    throw invalidRequest("messages: needs at least one message that is not system or developer");
  }
  return { system, messages };
}

function convertUserMessage(
  { content }: ChatUserMessage,
  index: number,
  model: { readonly id: string; readonly vision: boolean },
): UserMessage {
  if (typeof content === "string") {
    return { role: "user", parts: [{ type: "text", text: content }] };
  }
  return {
    role: "user",
    parts: content.map((part, position) => {
      if (part.type === "text") return { type: "text", text: part.text };
      const path = `messages[${index}].content[${position}]`;
      if (!model.vision) throw invalidRequest(`${path}: ${model.id} takes no images`);
      return convertImageUrl(part.image_url.url, `${path}.image_url.url`);
    }),
  };
}

const textParts = (content: ChatTextContent): TextPart[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : content.map(({ text }) => ({ type: "text", text }));
