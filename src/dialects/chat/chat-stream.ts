// The inner events of one reply to chat.completion.chunk frames, in the one framing that five
// client versions agree on. Chunks are put together from constant text around the piece:
// they are the hottest path of the service.

import { type CallEvent, upstreamFailed } from "../../call/index.ts";
import { errorObject } from "../error-body.ts";
import type { ReplyOptions, StreamRenderer } from "../reply.ts";
import type { ChatReasoning } from "./message-schema.ts";
import { replyHead } from "./reply-head.ts";
import { createToolCallWriter } from "./tool-call-json.ts";
import { createTrace } from "./trace.ts";
import { usageJson } from "./usage-json.ts";

const GOES_ON = '},"finish_reason":null}]}\n\n';
// Only the last frame has an event line: on chunks, one client would not find their data.
const DONE = "event: done\ndata: [DONE]\n\n";

export function createChatStream(options: ReplyOptions): StreamRenderer {
  const start = `data: ${replyHead(options, "chat.completion.chunk")}"choices":[{"index":0,"delta":{`;
  const contentStart = `${start}"content":`;
  const roleStart = `${start}"role":"assistant","content":`;
  const writeToolCall = createToolCallWriter(options.id);
  const trace = createTrace();
  let opened = false;
  let finished = false;
  let toolCalls = 0;

  /** The first chunk of all names the role; one without text when no text comes first. */
  const open = (): string => {
    if (opened) return "";
    opened = true;
    return `${roleStart}""${GOES_ON}`;
  };

  const text = (piece: string): string => {
    if (opened) return piece === "" ? "" : contentStart + JSON.stringify(piece) + GOES_ON;
    opened = true;
    return roleStart + JSON.stringify(piece) + GOES_ON;
  };

  const reasoning = (shown: ChatReasoning): string =>
    `${open()}${contentStart}"","reasoning":${JSON.stringify(shown)}${GOES_ON}`;

  const think = (event: CallEvent): string => {
    if (!options.includeReasoning) return "";
    trace.add(event);
    if (event.type === "thinking") return reasoning({ thinking: event.text });
    return event.type === "signature"
      ? reasoning({ thinking: "", signature: event.signature })
      : "";
  };

  /**
   * A sealed trace is said once more as a whole. Pieces alone do not tell its blocks apart, and
   * the stream helpers of the OpenAI clients keep only the last reasoning of a message.
   */
  const wholeTrace = (): string =>
    trace.isSealed() ? reasoning({ thinking: "", blocks: [...trace.blocks()] }) : "";

  return {
    event(event) {
      switch (event.type) {
        case "text":
          return text(event.text);
        case "tool_call": {
          const call = `"tool_calls":[{"index":${toolCalls},${writeToolCall(event)}}]`;
          toolCalls += 1;
          return open() + start + call + GOES_ON;
        }
        case "finish":
          finished = true;
          return `${open()}${wholeTrace()}${start}},"finish_reason":"${event.reason}"}]}\n\n`;
        case "usage":
          return "";
        default:
          return think(event);
      }
    },
    end(usage) {
      if (!finished) throw upstreamFailed("The model ended without finishing its reply");
      return `${start}}}],"usage":${usageJson(usage)}}\n\n${DONE}`;
    },
    error: (error, requestId) =>
      `data: ${JSON.stringify({ error: errorObject(error, requestId) })}\n\n`,
  };
}
