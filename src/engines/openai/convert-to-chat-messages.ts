// The conversation in the OpenAI chat convention. Text-only content goes as a plain string,
// which every server's template takes; parts only where there is an image.

import type {
  Call,
  ImagePart,
  SystemMessage,
  TextPart,
  ToolMessage,
  UserMessage,
} from "../../call/index.ts";
import type { ChatContentPart, ChatMessage, ReplayField } from "./chat-message.ts";
import { convertToAssistantMessage } from "./convert-to-assistant-message.ts";

export function convertToChatMessages(call: Call, replay: ReplayField): ChatMessage[] {
  const converted: ChatMessage[] = [];
  if (call.system.length > 0) converted.push({ role: "system", content: joinText(call.system) });
  for (const message of call.messages) {
    switch (message.role) {
      case "user":
        converted.push({ role: "user", content: convertContent(message.parts) });
        break;
      case "assistant":
        converted.push(convertToAssistantMessage(message, replay));
        break;
      case "tool":
        pushToolResults(message, converted);
        break;
      case "system":
        converted.push({ role: "system", content: joinText(message.parts) });
    }
  }
  return converted;
}

/** Parts are separate paragraphs to their author; the servers' own templates join them so. */
function joinText(parts: SystemMessage["parts"]): string {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only.text;
  return parts.map((part) => part.text).join("\n");
}

function convertContent(parts: UserMessage["parts"]): string | ChatContentPart[] {
  return isTextOnly(parts) ? joinText(parts) : parts.map(convertPart);
}

const isTextOnly = (parts: UserMessage["parts"]): parts is readonly TextPart[] =>
  parts.every((part) => part.type === "text");

function convertPart(part: TextPart | ImagePart): ChatContentPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const { source } = part;
  const url = source.type === "url" ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return { type: "image_url", image_url: { url } };
}

/**
 * One message per result. A tool message takes text only (OpenAI refuses images there, most
 * templates drop them), and nothing may stand between an assistant's calls and their
 * results: the images follow in one user message that says which call each came from.
 */
function pushToolResults(message: ToolMessage, converted: ChatMessage[]): void {
  let images: ChatContentPart[] | undefined;
  for (const result of message.parts) {
    let text = "";
    let imageCount = 0;
    for (const part of result.parts) {
      if (part.type === "text") {
        text += text === "" ? part.text : `\n${part.text}`;
      } else {
        images ??= [];
        if (imageCount === 0) {
          images.push({ type: "text", text: `Images returned by tool call ${result.callId}:` });
        }
        imageCount += 1;
        images.push(convertPart(part));
      }
    }
    if (imageCount > 0) text += `${text === "" ? "" : "\n"}[${imageCount} image(s) follow]`;
    // The convention has no flag for a failed tool, so the model reads it.
    if (result.isError) text = text === "" ? "Error: the tool failed." : `Error: ${text}`;
    converted.push({ role: "tool", tool_call_id: result.callId, content: text });
  }
  if (images !== undefined) converted.push({ role: "user", content: images });
}
