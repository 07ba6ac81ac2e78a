// The call's conversation before any template: turns of whole texts, with the parts that a local
// model cannot take settled, and the answer that is to be continued kept apart.

import {
  type AssistantMessage,
  type Call,
  type ImagePart,
  invalidRequest,
  type Message,
  type TextPart,
  type ToolCallPart,
  type ToolMessage,
} from "../../../call/index.ts";

export type ToolResult = { readonly name: string; readonly text: string; readonly failed: boolean };

export type Turn =
  | { readonly role: "system" | "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly thinking: string;
      readonly calls: readonly ToolCallPart[];
    }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export type Conversation = {
  readonly system: string;
  readonly turns: readonly Turn[];
  /** The beginning of the answer, where the caller wrote one. */
  readonly begun: string;
};

export function readConversation(call: Call, defaultSystem: string | null): Conversation {
  const names = new Map<string, string>();
  const turns = call.messages.map((message) => readTurn(message, names));
  const own = joinText(call.system);
  const leads = turns[0]?.role === "system";
  const system = own === "" && !leads ? (defaultSystem ?? "") : own;
  const last = turns.at(-1);
  if (last?.role === "assistant" && last.calls.length === 0) {
    // A blank at its end would keep the model from its usual first token.
    return { system, turns: turns.slice(0, -1), begun: last.text.trimEnd() };
  }
  return { system, turns, begun: "" };
}

function readTurn(message: Message, names: Map<string, string>): Turn {
  switch (message.role) {
    case "system":
      return { role: "system", text: joinText(message.parts) };
    case "user":
      return { role: "user", text: readUserText(message.parts) };
    case "assistant":
      return readAssistant(message, names);
    case "tool":
      return { role: "tool", results: readResults(message, names) };
  }
}

const joinText = (parts: readonly TextPart[]): string => parts.map((part) => part.text).join("\n");

function readUserText(parts: readonly (TextPart | ImagePart)[]): string {
  const texts = parts.map((part) => {
    if (part.type === "text") return part.text;
    throw invalidRequest("This model reads text only; leave out the images");
  });
  return texts.join("\n");
}

function readAssistant(message: AssistantMessage, names: Map<string, string>): Turn {
  const calls: ToolCallPart[] = [];
  let text = "";
  let thinking = "";
  for (const part of message.parts) {
    if (part.type === "text") text += text === "" ? part.text : `\n${part.text}`;
    else if (part.type === "thinking") thinking += part.text;
    else if (part.type === "tool_call") {
      calls.push(part);
      names.set(part.id, part.name);
    }
  }
  return { role: "assistant", text, thinking, calls };
}

function readResults(message: ToolMessage, names: ReadonlyMap<string, string>): ToolResult[] {
  return message.parts.map((result) => {
    const texts = result.parts.map((part) =>
      part.type === "text" ? part.text : "[an image, which this model cannot see]",
    );
    const name = names.get(result.callId) ?? "the tool";
    return { name, text: texts.join("\n"), failed: result.isError };
  });
}
