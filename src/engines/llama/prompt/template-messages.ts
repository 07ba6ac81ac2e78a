// A conversation as the messages that a chat template takes, every text a stand-in. Templates
// differ in what they put up with, so there are several ways to say the same.

import type { Call, Tool } from "../../../call/index.ts";
import type { Conversation, ToolResult, Turn } from "./conversation.ts";
import { describeFormat } from "./describe-format.ts";
import { describeTools, writeToolDefinition } from "./describe-tools.ts";
import type { Origin, Sentinels } from "./sentinels.ts";
import { writeToolCall } from "./tool-call-format.ts";

export type Manner = {
  /** The template's own way with tools, or ours in plain text. */
  readonly tools: "template" | "plain";
  /** As a message of its own, or at the head of the first user message. */
  readonly system: "message" | "folded";
  /** Neighbours of one role as one message, for templates that demand strict turns. */
  readonly merged: boolean;
};

type TemplateCall = {
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export type TemplateMessage = {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly TemplateCall[];
};

export type TemplateInput = {
  readonly messages: readonly TemplateMessage[];
  readonly tools?: readonly string[];
};

/** Text between two that belong to one message. */
const GAP = "\n\n";

export function toTemplateInput(
  call: Call,
  conversation: Conversation,
  manner: Manner,
  sentinels: Sentinels,
): TemplateInput {
  const mark = (text: string, origin: Origin) => sentinels.add({ text, origin });
  const ownTools = manner.tools === "template" && call.tools.length > 0;
  const tools = ownTools ? call.tools.map((tool) => markTool(tool, sentinels)) : undefined;

  const system: string[] = [];
  const head = [conversation.system];
  if (!ownTools && call.tools.length > 0) head.push(describeTools(call.tools));
  const headText = head.filter((text) => text !== "").join(GAP);
  if (headText !== "") system.push(mark(headText, "system"));
  // What shape the answer has may change with every call: not part of the kept prefix.
  const format = describeFormat(call.format);
  if (format !== undefined) system.push(mark(format, "conversation"));

  const messages = conversation.turns.flatMap((turn) => toMessages(turn, manner, sentinels));
  if (system.length > 0) messages.unshift({ role: "system", content: system.join(GAP) });
  const folded = manner.system === "folded" ? foldSystem(messages) : messages;
  return {
    messages: manner.merged ? mergeNeighbours(folded) : folded,
    ...(tools === undefined ? {} : { tools }),
  };
}

const markTool = (tool: Tool, sentinels: Sentinels): string =>
  sentinels.add({ text: writeToolDefinition(tool), origin: "system", json: true });

function toMessages(turn: Turn, manner: Manner, sentinels: Sentinels): TemplateMessage[] {
  const mark = (text: string) => sentinels.add({ text, origin: "conversation" });
  switch (turn.role) {
    case "system":
    case "user":
      return [{ role: turn.role, content: mark(turn.text) }];
    case "assistant":
      return [toAssistantMessage(turn, manner, sentinels)];
    case "tool":
      if (manner.tools === "plain") {
        return [{ role: "user", content: mark(writeResults(turn.results)) }];
      }
      return turn.results.map((result) => ({
        role: "tool",
        content: mark(result.failed ? `Error: ${result.text}` : result.text),
      }));
  }
}

function toAssistantMessage(
  turn: Turn & { role: "assistant" },
  manner: Manner,
  sentinels: Sentinels,
): TemplateMessage {
  const origin = "conversation";
  if (manner.tools === "plain") {
    const calls = turn.calls.map((call) => writeToolCall(call.name, call.arguments));
    const text = [turn.text, ...calls].filter((part) => part !== "").join("\n");
    return { role: "assistant", content: sentinels.add({ text, origin }) };
  }
  const calls = turn.calls.map(
    (call): TemplateCall => ({
      type: "function",
      function: {
        name: sentinels.add({ text: JSON.stringify(call.name).slice(1, -1), origin }),
        arguments: sentinels.add({ text: call.arguments || "{}", origin, json: true }),
      },
    }),
  );
  return {
    role: "assistant",
    // Templates ask whether there is any text beside the calls.
    content: turn.text === "" ? "" : sentinels.add({ text: turn.text, origin }),
    ...(turn.thinking === ""
      ? {}
      : { reasoning_content: sentinels.add({ text: turn.thinking, origin, optional: true }) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function writeResults(results: readonly ToolResult[]): string {
  const parts = results.map(({ name, text, failed }) =>
    failed ? `The tool ${name} failed:\n${text}` : `Result of ${name}:\n${text}`,
  );
  return [...parts, "Use this to answer."].join(GAP);
}

/** The first user message takes the system prompt in; later ones become the user's own words. */
function foldSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  return messages.map((message) =>
    message.role === "system" ? { role: "user", content: message.content } : message,
  );
}

function mergeNeighbours(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const previous = merged.at(-1);
    if (previous?.role === message.role && message.role !== "tool") {
      merged[merged.length - 1] = {
        ...previous,
        content: [previous.content, message.content].filter((text) => text !== "").join(GAP),
      };
    } else {
      merged.push(message);
    }
  }
  const first = merged.findIndex((message) => message.role !== "system");
  // Strict templates want the user to begin.
  if (merged[first]?.role === "assistant") {
    merged.splice(first, 0, { role: "user", content: "(The assistant begins.)" });
  }
  return merged;
}
