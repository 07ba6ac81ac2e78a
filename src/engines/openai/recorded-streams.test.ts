// What each kind of server sends, in the shapes they document, and what becomes of it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readStream } from "../../../test/support/mock-upstream-stream.ts";
import type { CallEvent } from "../../call/index.ts";

const RECORDED: Readonly<Record<string, readonly CallEvent[]>> = {
  vllm: [
    { type: "thinking", text: "Grüße" },
    { type: "thinking", text: " are due." },
    { type: "text", text: "Hello 👋" },
    { type: "usage", usage: usage(21, 9, { cachedTokens: 16 }) },
    { type: "finish", reason: "stop", stopSequence: "END" },
  ],
  "vllm-tools": [
    { type: "usage", usage: usage(40, 0) },
    { type: "usage", usage: usage(40, 8) },
    { type: "usage", usage: usage(40, 20) },
    {
      type: "tool_call",
      id: "chatcmpl-tool-111",
      name: "get_weather",
      arguments: '{"city": "Zürich"}',
    },
    { type: "finish", reason: "tool_calls" },
  ],
  sglang: [
    { type: "thinking", text: "Look it up." },
    { type: "usage", usage: usage(33, 30, { reasoningTokens: 12 }) },
    { type: "tool_call", id: "call_a1", name: "search", arguments: '{"q": "tea"}' },
    { type: "finish", reason: "tool_calls" },
  ],
  "llama-cpp": [
    { type: "thinking", text: "Hmm" },
    { type: "text", text: "Four" },
    { type: "usage", usage: usage(25, 2, { cachedTokens: 20 }) },
    { type: "finish", reason: "length" },
  ],
  ollama: [
    { type: "thinking", text: "Two cities." },
    { type: "usage", usage: usage(150, 44) },
    { type: "tool_call", id: "call_x1", name: "weather", arguments: '{"city":"Oslo"}' },
    { type: "tool_call", id: "call_x2", name: "weather", arguments: '{"city":"Bergen"}' },
    { type: "finish", reason: "tool_calls" },
  ],
  deepseek: [
    { type: "thinking", text: "考えます。" },
    { type: "text", text: "はい" },
    { type: "usage", usage: usage(128, 12, { cachedTokens: 64, reasoningTokens: 10 }) },
    { type: "finish", reason: "stop" },
  ],
  openai: [
    { type: "usage", usage: usage(90, 31, { cachedTokens: 0, reasoningTokens: 0 }) },
    { type: "tool_call", id: "call_one", name: "add", arguments: '{"a":1}' },
    { type: "tool_call", id: "call_two", name: "now", arguments: "{}" },
    { type: "finish", reason: "tool_calls" },
  ],
  openrouter: [
    { type: "thinking", text: "Let me " },
    { type: "thinking", text: "see." },
    { type: "signature", signature: "EqQBCg==" },
    { type: "redacted_thinking", data: "gAAAAB" },
    { type: "text", text: "Done." },
    {
      type: "usage",
      usage: usage(70, 20, { cachedTokens: 60, cacheWriteTokens: 10, reasoningTokens: 8 }),
    },
    { type: "finish", reason: "stop" },
  ],
};

function usage(promptTokens: number, completionTokens: number, more: object = {}) {
  return { promptTokens, completionTokens, ...more, estimated: false };
}

const load = (name: string): Promise<Buffer> =>
  readFile(new URL(`fixtures/${name}.sse`, import.meta.url));

const asCrLf = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString("utf8").replaceAll("\n", "\r\n"));

for (const [name, expected] of Object.entries(RECORDED)) {
  describe(`a stream of ${name}`, () => {
    test("becomes these events", async () => {
      assert.deepEqual(readStream([await load(name)]), { events: expected, failure: undefined });
    });

    test("reads the same when it is cut in two at any byte", async () => {
      const bytes = await load(name);
      for (let at = 1; at < bytes.length; at++) {
        const { events } = readStream([bytes.subarray(0, at), bytes.subarray(at)]);
        assert.deepEqual(events, expected, `cut at byte ${at}`);
      }
    });

    test("reads the same byte by byte, with CRLF, with a byte order mark, with no last newline", async () => {
      const bytes = await load(name);
      const single = [...bytes].map((byte) => Buffer.from([byte]));
      assert.deepEqual(readStream(single).events, expected);
      const crLf = [...asCrLf(bytes)].map((byte) => Buffer.from([byte]));
      assert.deepEqual(readStream(crLf).events, expected);
      assert.deepEqual(readStream([Buffer.from("\uFEFF"), bytes]).events, expected);
      assert.deepEqual(readStream([Buffer.from(bytes.toString().trimEnd())]).events, expected);
    });

    test("reads the same however it is cut", async () => {
      const plain = await load(name);
      const cuts = fc.uniqueArray(fc.nat(plain.length), { maxLength: 40 });
      fc.assert(
        fc.property(cuts, fc.boolean(), (places, crLf) => {
          const bytes = crLf ? asCrLf(plain) : plain;
          const edges = [0, ...places.sort((a, b) => a - b), bytes.length];
          const pieces = edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
          assert.deepEqual(readStream(pieces).events, expected);
        }),
      );
    });

    test("has failed when it dies before its end, and never made up a finish", async () => {
      const bytes = await load(name);
      const text = bytes.toString();
      const finishAt = text.search(/"finish_reason":"/);
      const cut = text.lastIndexOf("data:", finishAt);
      const { events, failure } = readStream([Buffer.from(text.slice(0, cut))]);
      assert.equal(failure?.error.status, 502);
      assert.equal(failure?.error.retryable, true);
      assert.equal(
        events.some(({ type }) => type === "finish" || type === "tool_call"),
        false,
      );
    });

    test("is complete without [DONE] once the finish reason came", async () => {
      const text = (await load(name)).toString().replace("data: [DONE]\n\n", "");
      for (const bytes of [Buffer.from(text), Buffer.from(text.trimEnd())]) {
        assert.deepEqual(readStream([bytes]), { events: expected, failure: undefined });
      }
    });
  });
}
