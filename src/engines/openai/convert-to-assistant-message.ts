// One assistant turn of the history, with the arguments of its tool calls exactly as the
// model wrote them, and its thinking in the field that this upstream reads it from.

import type { AssistantMessage } from "../../call/index.ts";
import type {
  ChatAssistantMessage,
  ChatReasoningDetail,
  ChatToolCall,
  ReplayField,
} from "./chat-message.ts";

export function convertToAssistantMessage(
  message: AssistantMessage,
  replay: ReplayField,
): ChatAssistantMessage {
  let text = "";
  let toolCalls: ChatToolCall[] | undefined;
  for (const part of message.parts) {
    if (part.type === "text") {
      text += part.text;
    } else if (part.type === "tool_call") {
      toolCalls ??= [];
      toolCalls.push({
        id: part.id,
        type: "function",
        function: { name: part.name, arguments: part.arguments },
      });
    }
  }
  const converted: ChatAssistantMessage = { role: "assistant", content: text };
  if (toolCalls !== undefined) {
    // Templates tell "said nothing, called a tool" from "said the empty string" by null.
    if (text === "") converted.content = null;
    converted.tool_calls = toolCalls;
  }
  if (replay !== "none") replayThinking(message, replay, converted);
  return converted;
}

function replayThinking(
  message: AssistantMessage,
  field: "reasoning_content" | "reasoning",
  converted: ChatAssistantMessage,
): void {
  let thinking = "";
  let sealed = false;
  const details: ChatReasoningDetail[] = [];
  for (const part of message.parts) {
    if (part.type === "thinking") {
      thinking += part.text;
      if (part.signature === undefined) {
        details.push({ type: "reasoning.text", text: part.text });
      } else {
        sealed = true;
        details.push({ type: "reasoning.text", text: part.text, signature: part.signature });
      }
    } else if (part.type === "redacted_thinking") {
      sealed = true;
      details.push({ type: "reasoning.encrypted", data: part.data });
    }
  }
  if (thinking !== "") converted[field] = thinking;
  // Only the vendor that handed out signatures reads this field; others never see it.
  if (sealed && field === "reasoning") converted.reasoning_details = details;
}
