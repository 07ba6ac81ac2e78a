import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readChunks } from "../../../test/support/mock-upstream-stream.ts";

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const toolPiece = (piece: object) => choice({ tool_calls: [piece] });
const toolCalls = (chunks: readonly object[]) =>
  readChunks(chunks).events.filter((event) => event.type === "tool_call");

describe("tool calls in pieces", () => {
  test("arrive whole when 100 KB of arguments come one character at a time", () => {
    const written = JSON.stringify({ text: "ä".repeat(100_000) });
    const start = toolPiece({ index: 0, id: "call_1", function: { name: "save" } });
    const rest = [...written].map((piece) =>
      toolPiece({ index: 0, function: { arguments: piece } }),
    );
    assert.deepEqual(readChunks([start, ...rest, choice({}, "tool_calls")]).events, [
      { type: "tool_call", id: "call_1", name: "save", arguments: written },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  test("do no harm when they are an empty list, null, or nonsense", () => {
    const { events } = readChunks([
      choice({ content: "a", tool_calls: [] }),
      choice({ content: "b", tool_calls: null }),
      choice({ tool_calls: "?" }),
      choice({ tool_calls: [null, 7, {}] }),
      { choices: [] },
      { choices: null },
      {},
      choice({}, "tool_calls"),
    ]);
    assert.deepEqual(events, [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("are told apart without an index, whole or in pieces", () => {
    const calls = toolCalls([
      toolPiece({ id: "a", function: { name: "f", arguments: '{"n":' } }),
      toolPiece({ function: { arguments: "1}" } }),
      choice({
        tool_calls: [
          { id: "b", function: { name: "f", arguments: "{}" } },
          { function: { name: "g", arguments: { n: 2 } } },
        ],
      }),
      choice({}, "stop"),
    ]);
    assert.deepEqual(
      calls.map(({ id, name, arguments: written }) => [id, name, written]),
      [
        ["a", "f", '{"n":1}'],
        ["b", "f", "{}"],
        ["id-1", "g", '{"n":2}'],
      ],
    );
  });

  test("interleave, and repeat their id and name on every piece", () => {
    const piece = (index: number, id: string, written: string) =>
      toolPiece({
        index,
        id,
        type: "function",
        function: { name: `f${index}`, arguments: written },
      });
    const calls = toolCalls([
      piece(0, "a", '{"x"'),
      piece(1, "b", '{"y"'),
      piece(0, "a", ":1}"),
      piece(1, "b", ":2}"),
      choice({}, "tool_calls"),
    ]);
    assert.deepEqual(calls, [
      { type: "tool_call", id: "a", name: "f0", arguments: '{"x":1}' },
      { type: "tool_call", id: "b", name: "f1", arguments: '{"y":2}' },
    ]);
  });

  test("begin anew under the same index when a new id or a new complete call comes", () => {
    const whole = (more: object) => toolPiece({ index: 0, ...more });
    const calls = toolCalls([
      whole({ id: "a", function: { name: "f", arguments: "{}" } }),
      whole({ id: "b", function: { name: "f", arguments: "{}" } }),
      whole({ function: { name: "f", arguments: "{}" } }),
      choice({}, "tool_calls"),
    ]);
    assert.deepEqual(
      calls.map(({ id }) => id),
      ["a", "b", "id-1"],
    );
  });

  test("get ids that are unique and fit the pattern, the same every time", () => {
    const named = (index: number, id: string) =>
      toolPiece({ index, id, function: { name: "f", arguments: "{}" } });
    const chunks = [
      named(0, "same"),
      named(1, "same"),
      named(2, "functions.f:0"),
      choice({}, "tool_calls"),
    ];
    const ids = toolCalls(chunks).map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 2), ["same", "same_2"]);
    assert.match(ids[2] ?? "", /^[a-zA-Z0-9_-]+$/);
    assert.deepEqual(
      toolCalls(chunks).map(({ id }) => id),
      ids,
    );
  });

  test("are made from the old function_call field too", () => {
    const { events } = readChunks([
      choice({ function_call: { name: "f", arguments: '{"a":' } }),
      choice({ function_call: { arguments: "1}" } }),
      choice({}, "function_call"),
    ]);
    assert.deepEqual(events, [
      { type: "tool_call", id: "id-1", name: "f", arguments: '{"a":1}' },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  test("that were cut at the token limit are dropped, and the reason stays length", () => {
    const { events, failure } = readChunks([
      toolPiece({ index: 0, id: "a", function: { name: "f", arguments: '{"done":true}' } }),
      toolPiece({ index: 1, id: "b", function: { name: "f", arguments: '{"half":' } }),
      choice({}, "length"),
    ]);
    assert.equal(failure, undefined);
    assert.deepEqual(events, [
      { type: "tool_call", id: "a", name: "f", arguments: '{"done":true}' },
      { type: "finish", reason: "length" },
    ]);
  });

  test("whose arguments are no JSON object at a normal end fail the reply, not the target", () => {
    for (const written of ["{oops", "[1]", '"text"', "}{"]) {
      const { events, failure } = readChunks([
        toolPiece({ index: 0, id: "a", function: { name: "f", arguments: written } }),
        choice({}, "tool_calls"),
      ]);
      assert.deepEqual(events, []);
      assert.equal(failure?.fault, "reply");
      assert.equal(failure?.error.status, 502);
    }
  });

  test("are bounded in size", () => {
    const { failure } = readChunks(
      [
        toolPiece({ index: 0, id: "a", function: { name: "f", arguments: "x".repeat(600) } }),
        toolPiece({ index: 0, function: { arguments: "x".repeat(600) } }),
        choice({}, "tool_calls"),
      ],
      { maxReply: 1000 },
    );
    assert.match(failure?.error.message ?? "", /max_reply/);
  });
});
