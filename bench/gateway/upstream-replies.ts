// The upstream's replies as text, built once. A stream's chunk is one HTTP chunk, as the
// servers of models send it, so that a proxy's parser meets every one of them.

import { REPLY_END, STAMP, STAMP_DIGITS, STREAM_END, UPSTREAM_MODEL } from "./wire.ts";

const USAGE = {
  prompt_tokens: 172,
  completion_tokens: 96,
  total_tokens: 268,
  prompt_tokens_details: { cached_tokens: 64 },
};

const CONTENT = `${"The customer who ordered most often there is the one in the second line. ".repeat(6)}${REPLY_END}`;

const REPLY = JSON.stringify({
  id: "chatcmpl-4f1c8a0b2d",
  object: "chat.completion",
  created: 1_790_000_000,
  model: UPSTREAM_MODEL,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: CONTENT, refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: USAGE,
});

const withLength = (status: string, body: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    "latin1",
  );

export const WHOLE_REPLY: Buffer = withLength("200 OK", REPLY);
export const MODELS_REPLY: Buffer = withLength("200 OK", '{"object":"list","data":[]}');
export const REFUSAL: Buffer = withLength(
  "400 Bad Request",
  `{"error":{"message":"the model must be ${UPSTREAM_MODEL}","type":"invalid_request_error"}}`,
);

export const STREAM_HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n";

const framed = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const event = (choices: string, usage: string): string =>
  `data: {"id":"chatcmpl-4f1c8a0b2d","object":"chat.completion.chunk","created":1790000000,"model":"${UPSTREAM_MODEL}","choices":${choices},"usage":${usage}}\n\n`;

const choice = (delta: string, finish: string): string =>
  `[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]`;

const [CHUNK_START = "", CHUNK_REST = ""] = framed(
  event(choice(`{"content":"${STAMP}${"#".repeat(STAMP_DIGITS)}"}`, "null"), "null"),
).split("#".repeat(STAMP_DIGITS));

export const streamChunk = (at: number): string =>
  CHUNK_START + String(at).padStart(STAMP_DIGITS, "0") + CHUNK_REST;

export const STREAM_TAIL: string =
  framed(event(choice("{}", '"stop"'), "null")) +
  framed(event("[]", JSON.stringify(USAGE))) +
  framed(`data: ${STREAM_END}\n\n`) +
  "0\r\n\r\n";

/** A whole stream that goes out in one write. */
export const burst = (chunks: number): Buffer =>
  Buffer.from(STREAM_HEAD + streamChunk(0).repeat(chunks) + STREAM_TAIL, "latin1");
