// The inner events of one reply to one chat.completion body.

import { type FinishReason, upstreamFailed } from "../../call/index.ts";
import type { BodyRenderer, ReplyOptions } from "../reply.ts";
import { replyHead } from "./reply-head.ts";
import { createToolCallWriter } from "./tool-call-json.ts";
import { createTrace } from "./trace.ts";
import { usageJson } from "./usage-json.ts";

export function createChatBody(options: ReplyOptions): BodyRenderer {
  const writeToolCall = createToolCallWriter(options.id);
  const trace = createTrace();
  let content = "";
  let toolCalls = "";
  let finish: FinishReason | undefined;

  return {
    event(event) {
      switch (event.type) {
        case "text":
          content += event.text;
          break;
        case "tool_call":
          toolCalls += `${toolCalls === "" ? "" : ","}{${writeToolCall(event)}}`;
          break;
        case "finish":
          finish = event.reason;
          break;
        default:
          if (options.includeReasoning) trace.add(event);
      }
    },
    end(usage) {
      if (finish === undefined) throw upstreamFailed("The model ended without finishing its reply");
      const reasoning = trace.reasoning();
      // The specification has a string here, also where OpenAI itself writes null.
      const message =
        `{"role":"assistant","content":${JSON.stringify(content)},"refusal":null` +
        (toolCalls === "" ? "" : `,"tool_calls":[${toolCalls}]`) +
        (reasoning === undefined ? "" : `,"reasoning":${JSON.stringify(reasoning)}`);
      return (
        `${replyHead(options, "chat.completion")}"choices":[{"index":0,"message":${message}},` +
        `"logprobs":null,"finish_reason":"${finish}"}],"usage":${usageJson(usage)}}`
      );
    },
  };
}
