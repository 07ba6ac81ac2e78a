import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { type CallEvent, ServiceError, type Usage, upstreamFailed } from "../../call/index.ts";
import type { ReplyOptions } from "../reply.ts";
import { createChatStream } from "./chat-stream.ts";
import { ChatChunkSchema } from "./reply-schema.ts";

const chunk = Compile(ChatChunkSchema);
const usage: Usage = { promptTokens: 7, completionTokens: 3, cachedTokens: 5, estimated: false };
const options: ReplyOptions = {
  id: "abc",
  created: 1_700_000_000,
  model: "claude-4-sonnet",
  includeReasoning: true,
};
const stop: CallEvent = { type: "finish", reason: "stop" };

const HEAD =
  'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk","created":1700000000,' +
  '"model":"claude-4-sonnet","system_fingerprint":"fp_hearth","choices":[{"index":0,"delta":';
const delta = (json: string): string => `${HEAD}${json},"finish_reason":null}]}\n\n`;
const finish = (reason: string): string => `${HEAD}{},"finish_reason":"${reason}"}]}\n\n`;
const END =
  `${HEAD}{}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,` +
  '"prompt_tokens_details":{"cached_tokens":5}}}\n\nevent: done\ndata: [DONE]\n\n';

/** The frames of a whole stream, after the published schema has said yes to each chunk. */
function framesOf(events: readonly CallEvent[], given = options): string {
  const stream = createChatStream(given);
  const frames = events.map((event) => stream.event(event)).join("") + stream.end(usage);
  for (const frame of frames.split("\n\n")) {
    if (frame === "" || frame === "event: done\ndata: [DONE]") continue;
    assert.match(frame, /^data: \{[^\n]*\}$/);
    const written: unknown = JSON.parse(frame.slice("data: ".length));
    assert.ok(chunk.Check(written), JSON.stringify(chunk.Errors(written)));
  }
  return frames;
}

test("text: the first chunk has the role and the first piece, then finish, usage and done", () => {
  assert.equal(
    framesOf([{ type: "text", text: "Hel" }, { type: "text", text: 'lo\n\n"you"\u2028' }, stop]),
    delta('{"role":"assistant","content":"Hel"}') +
      delta('{"content":"lo\\n\\n\\"you\\"\u2028"}') +
      finish("stop") +
      END,
  );
});

test("a reply of nothing still has its role, finish, usage and done", () => {
  assert.equal(
    framesOf([{ type: "finish", reason: "length" }]),
    delta('{"role":"assistant","content":""}') + finish("length") + END,
  );
});

test("pieces without text say nothing, but for the first", () => {
  const empty: CallEvent = { type: "text", text: "" };
  assert.equal(
    framesOf([empty, empty, stop]),
    delta('{"role":"assistant","content":""}') + finish("stop") + END,
  );
});

test("tool_calls: one delta a call with index, id, type, name and the whole arguments", () => {
  const long = JSON.stringify({ text: "x".repeat(100_000) });
  assert.equal(
    framesOf([
      { type: "tool_call", id: "call_1", name: "f", arguments: '{"a":1}' },
      { type: "tool_call", id: "call_2", name: "g", arguments: long },
      { type: "finish", reason: "tool_calls" },
    ]),
    delta('{"role":"assistant","content":""}') +
      delta(
        '{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}]}',
      ) +
      delta(
        `{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"g","arguments":${JSON.stringify(long)}}}]}`,
      ) +
      finish("tool_calls") +
      END,
  );
});

const thoughts: readonly CallEvent[] = [
  { type: "thinking", text: "H" },
  { type: "thinking", text: "m" },
  { type: "signature", signature: "sig" },
];

test("reasoning: pieces come as thinking beside empty content, then the signature", () => {
  assert.equal(
    framesOf([...thoughts, { type: "text", text: "Yes" }, stop]),
    delta('{"role":"assistant","content":""}') +
      delta('{"content":"","reasoning":{"thinking":"H"}}') +
      delta('{"content":"","reasoning":{"thinking":"m"}}') +
      delta('{"content":"","reasoning":{"thinking":"","signature":"sig"}}') +
      delta('{"content":"Yes"}') +
      delta(
        '{"content":"","reasoning":{"thinking":"","blocks":[{"type":"thinking","thinking":"Hm","signature":"sig"}]}}',
      ) +
      finish("stop") +
      END,
  );
});

test("reasoning that nobody signed is not said again", () => {
  assert.equal(
    framesOf([{ type: "thinking", text: "Hm" }, stop]),
    delta('{"role":"assistant","content":""}') +
      delta('{"content":"","reasoning":{"thinking":"Hm"}}') +
      finish("stop") +
      END,
  );
});

test("reasoning with redacted blocks is said once more as a whole before the finish", () => {
  const frames = framesOf([...thoughts, { type: "redacted_thinking", data: "xyz" }, stop]);
  assert.ok(
    frames.endsWith(
      delta(
        '{"content":"","reasoning":{"thinking":"","blocks":[{"type":"thinking","thinking":"Hm","signature":"sig"},{"type":"redacted_thinking","data":"xyz"}]}}',
      ) +
        finish("stop") +
        END,
    ),
  );
});

test("reasoning is not in the stream of a caller who did not ask for it", () => {
  assert.equal(
    framesOf(
      [...thoughts, { type: "redacted_thinking", data: "x" }, { type: "text", text: "Yes" }, stop],
      {
        ...options,
        includeReasoning: false,
      },
    ),
    delta('{"role":"assistant","content":"Yes"}') + finish("stop") + END,
  );
});

test("usage that comes on the way is not written before the end", () => {
  const stream = createChatStream(options);
  assert.equal(stream.event({ type: "usage", usage }), "");
});

test("an error is one frame in the shape clients know, and nothing after it", () => {
  const stream = createChatStream(options);
  stream.event({ type: "text", text: "Hel" });
  assert.equal(
    stream.error(upstreamFailed("The upstream\nbroke off"), "req-1"),
    'data: {"error":{"code":502,"message":"The upstream\\nbroke off","type":"server_error","request_id":"req-1"}}\n\n',
  );
});

test("a stream that never finished gets no [DONE]", () => {
  const stream = createChatStream(options);
  stream.event({ type: "text", text: "Hel" });
  assert.throws(
    () => stream.end(usage),
    (error) => error instanceof ServiceError && error.status === 502,
  );
});
