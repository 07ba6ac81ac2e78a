// Bytes of an event stream into the reply reader: characters may be split between packets,
// lines may end in CR, LF or both, and the last frame may lack its blank line.

import { StringDecoder } from "node:string_decoder";
import { createParser, type EventSourceMessage, type ParseError } from "eventsource-parser";
import { brokenReply } from "./map-upstream-error.ts";
import { asRecord, parseJson } from "./read-json.ts";
import type { ReplyReader } from "./reply-reader.ts";

const BYTE_ORDER_MARK = 0xfeff;

export type StreamReader = {
  push(chunk: Buffer): void;
  end(): void;
};

export function createStreamReader(reply: ReplyReader, maxFrame: number): StreamReader {
  const decoder = new StringDecoder("utf8");
  let begun = false;

  const parser = createParser({
    maxBufferSize: maxFrame,
    onEvent(frame) {
      readFrame(frame, reply);
    },
    onError(problem) {
      readOddLine(problem, reply);
    },
  });

  function feed(text: string): void {
    // Once the turn is over the rest is of no interest, and an overfull parser would throw.
    if (text === "" || reply.done) return;
    if (begun) {
      parser.feed(text);
    } else {
      begun = true;
      parser.feed(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    }
  }

  return {
    push(chunk) {
      feed(decoder.write(chunk));
    },
    end() {
      feed(decoder.end());
      feed("\n\n");
      reply.end();
    },
  };
}

function readFrame(frame: EventSourceMessage, reply: ReplyReader): void {
  const { data } = frame;
  if (reply.done || data === "") return;
  if (data === "[DONE]") {
    reply.finish();
    return;
  }
  const value = parseJson(data);
  if (frame.event === "error") {
    const record = asRecord(value);
    reply.read({ error: record?.error ?? record ?? data });
  } else if (value === undefined) {
    reply.fail(brokenReply("sent a stream frame that is not JSON"));
  } else {
    reply.read(value);
  }
}

/** llama.cpp reports a failure as `error: {…}`; some proxies as a bare line of JSON. */
function readOddLine(problem: ParseError, reply: ReplyReader): void {
  if (problem.type === "max-buffer-size-exceeded") {
    reply.fail(brokenReply("sent a stream frame beyond max_reply"));
  } else if (problem.field === "error") {
    reply.read({ error: parseJson(problem.value ?? "") ?? problem.value });
  } else if (problem.line?.startsWith("{")) {
    const error = asRecord(parseJson(problem.line))?.error;
    if (error !== undefined) reply.read({ error });
  }
}
