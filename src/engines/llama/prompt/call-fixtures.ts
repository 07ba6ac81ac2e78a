// Test support: calls to plan, with everything that a test does not speak of at rest.

import type { AssistantMessage, Call, Message, Tool } from "../../../call/index.ts";

export function makeCall(changes: Partial<Call> = {}): Call {
  return {
    id: "call-1",
    model: "local",
    caller: "resource-1",
    system: [],
    messages: [user("Hi")],
    tools: [],
    toolChoice: { type: "auto" },
    parallelToolCalls: true,
    sampling: { temperature: 1, topP: 1, stop: [] },
    maxOutputTokens: 512,
    format: { type: "text" },
    promptCaching: true,
    stream: true,
    ...changes,
  };
}

export const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

export const system = (text: string): Message => ({
  role: "system",
  parts: [{ type: "text", text }],
});

export const assistant = (text: string, ...more: AssistantMessage["parts"]): Message => ({
  role: "assistant",
  parts: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...more],
});

export const weatherCall = {
  type: "tool_call",
  id: "tooluse_1",
  name: "get_weather",
  arguments: '{"city": "Oslo"}',
} as const;

export const weatherResult = (text: string, isError = false): Message => ({
  role: "tool",
  parts: [{ type: "tool_result", callId: "tooluse_1", parts: [{ type: "text", text }], isError }],
});

export const WEATHER: Tool = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string", description: "Its name" }, unit: { enum: ["C", "F"] } },
    required: ["city"],
  },
};

export const CLOCK: Tool = { name: "get_time", parameters: { type: "object", properties: {} } };
