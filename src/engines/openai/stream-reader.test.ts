import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readChunks, readStream } from "../../../test/support/mock-upstream-stream.ts";

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

describe("a stream that fails", () => {
  const begun = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
  const reads = (rest: string) => readStream([Buffer.from(begun + rest)]);

  test("says so in an error frame, whatever its shape", () => {
    for (const frame of [
      'data: {"error":{"message":"boom","type":"InternalServerError","code":500}}\n\n',
      'data: {"error":"boom"}\n\ndata: [DONE]\n\n',
      'event: error\ndata: {"message":"boom"}\n\n',
      "event: error\ndata: boom\n\n",
      'error: {"code":500,"message":"boom","type":"server_error"}\n\n',
      '{"error":{"message":"boom"}}\n',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\n',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"abort"}]}\n\n',
    ]) {
      const { events, failure } = reads(frame);
      assert.deepEqual(events, [{ type: "text", text: "Hi" }], frame);
      assert.equal(failure?.error.status, 502, frame);
      assert.equal(failure?.fault, "target", frame);
      assert.doesNotMatch(failure?.error.message ?? "", /boom/, frame);
    }
  });

  test("keeps the meaning of the code in the frame", () => {
    const withCode = (code: unknown, message = "no") =>
      reads(`data: ${JSON.stringify({ error: { code, message } })}\n\n`).failure;
    assert.equal(withCode(400, "too hot")?.fault, "caller");
    assert.equal(withCode(400, "too hot")?.error.message, "too hot");
    assert.equal(withCode(429)?.fault, "busy");
    assert.equal(withCode("429")?.error.status, 503);
    assert.equal(withCode("rate_limit_exceeded")?.fault, "busy");
  });

  test("is not believed when its frame is no JSON, or no object", () => {
    for (const frame of ["data: {oops\n\n", "data: 7\n\n", 'data: {"choices":[{"del']) {
      const { events, failure } = reads(frame);
      assert.deepEqual(events, [{ type: "text", text: "Hi" }]);
      assert.equal(failure?.error.status, 502);
    }
  });

  test("is not an empty success when there was nothing in it", () => {
    assert.equal(readStream([]).failure?.error.status, 502);
    assert.equal(readStream([Buffer.from("data: [DONE]\n\n")]).failure?.error.status, 502);
    assert.equal(readStream([Buffer.from(": hi\n\n")]).failure?.error.status, 502);
  });

  test("is cut off when one frame grows beyond the bound", () => {
    const piece = Buffer.from(`data: ${"x".repeat(600)}`);
    const { failure } = readStream([piece, piece, piece], { maxReply: 1000 });
    assert.match(failure?.error.message ?? "", /max_reply/);
  });
});

describe("odd but honest streams", () => {
  test("may end with [DONE] and no finish reason", () => {
    const { events, failure } = readChunks([choice({ content: "ok" })], { done: true });
    assert.equal(failure, undefined);
    assert.deepEqual(events.at(-1), { type: "finish", reason: "stop" });
  });

  test("may carry content as parts, or a refusal", () => {
    const { events } = readChunks([
      choice({ content: [{ type: "text", text: "a" }, { type: "odd" }] }),
      choice({ refusal: "I will not." }),
      choice({}, "content_filter"),
    ]);
    assert.deepEqual(events, [
      { type: "text", text: "a" },
      { type: "text", text: "I will not." },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("may say the stop string only as a token id, which is not one of ours", () => {
    const { events } = readChunks([
      { choices: [{ index: 0, delta: {}, finish_reason: "stop", stop_reason: 128009 }] },
    ]);
    assert.deepEqual(events, [{ type: "finish", reason: "stop" }]);
  });

  test("may repeat their opening and answer further choices, which are left", () => {
    const { events } = readChunks([
      choice({ role: "assistant", content: "" }),
      choice({ role: "assistant", content: "" }),
      { choices: [{ index: 1, delta: { content: "other" } }] },
      choice({ content: "mine" }, "eos"),
    ]);
    assert.deepEqual(events, [
      { type: "text", text: "mine" },
      { type: "finish", reason: "stop" },
    ]);
  });
});
