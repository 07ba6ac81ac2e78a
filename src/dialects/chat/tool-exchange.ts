// Keeps the books on one assistant message's tool calls: every engine needs each call
// answered exactly once, right after the message that made it. Ids may come again in a later
// turn (some engines count from zero each time), so books are kept per turn.

import { invalidRequest, type ServiceError } from "../../call/index.ts";
import { showValue } from "../show-value.ts";
import type { ChatToolCall } from "./message-schema.ts";

export interface ToolExchange {
  ask(calls: readonly ChatToolCall[], message: number): void;
  answer(callId: string, message: number): void;
  /** Before any message that is no tool result, and at the end. */
  close(): void;
}

export function createToolExchange(): ToolExchange {
  const waiting = new Map<string, { readonly message: number; readonly call: number }>();
  const answered = new Set<string>();

  return {
    ask(calls, message) {
      answered.clear();
      for (const [call, { id }] of calls.entries()) {
        if (waiting.has(id)) throw refuse(message, call, id, "is the id of another call already");
        waiting.set(id, { message, call });
      }
    },
    answer(callId, message) {
      if (waiting.delete(callId)) {
        answered.add(callId);
        return;
      }
      const problem = answered.has(callId)
        ? "has its result already"
        : "matches no tool call of the assistant message before it";
      throw invalidRequest(`messages[${message}].tool_call_id: ${showValue(callId)} ${problem}`);
    },
    close() {
      for (const [id, { message, call }] of waiting) {
        throw refuse(
          message,
          call,
          id,
          "has no result: a tool message with this tool_call_id must follow the assistant message",
        );
      }
    },
  };
}

const refuse = (message: number, call: number, id: string, problem: string): ServiceError =>
  invalidRequest(`messages[${message}].tool_calls[${call}].id: ${showValue(id)} ${problem}`);
