import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { type CallEvent, ServiceError, type Usage } from "../../call/index.ts";
import type { ReplyOptions } from "../reply.ts";
import { createChatBody } from "./chat-body.ts";
import { callOf, hello } from "./chat-fixtures.ts";
import { ChatReplySchema } from "./reply-schema.ts";

const reply = Compile(ChatReplySchema);
const usage: Usage = { promptTokens: 7, completionTokens: 3, estimated: false };
const options: ReplyOptions = {
  id: "abc",
  created: 1_700_000_000,
  model: "claude-4-sonnet",
  includeReasoning: true,
};
const stop: CallEvent = { type: "finish", reason: "stop" };

function render(events: readonly CallEvent[], given = options, used = usage): string {
  const body = createChatBody(given);
  for (const event of events) body.event(event);
  return body.end(used);
}

/** The first choice, after the published schema has said yes to the body. */
function choiceOf(events: readonly CallEvent[], given = options) {
  const body: unknown = JSON.parse(render(events, given));
  assert.ok(reply.Check(body), JSON.stringify([...reply.Errors(body)]));
  const [choice] = body.choices;
  assert.ok(choice);
  return choice;
}

test("a plain reply is written byte for byte as documented", () => {
  assert.equal(
    render([{ type: "text", text: "Hel" }, { type: "text", text: 'lo "you"' }, stop]),
    '{"id":"chatcmpl-abc","object":"chat.completion","created":1700000000,"model":"claude-4-sonnet",' +
      '"system_fingerprint":"fp_hearth","choices":[{"index":0,"message":{"role":"assistant",' +
      '"content":"Hello \\"you\\"","refusal":null},"logprobs":null,"finish_reason":"stop"}],' +
      '"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}',
  );
});

test("content is the empty string beside tool_calls alone", () => {
  const { message, finish_reason } = choiceOf([
    { type: "tool_call", id: "call_1", name: "f", arguments: '{"a": 1}' },
    { type: "tool_call", id: "call_2", name: "g", arguments: "" },
    { type: "finish", reason: "tool_calls" },
  ]);
  assert.deepEqual(message, {
    role: "assistant",
    content: "",
    refusal: null,
    tool_calls: [
      { id: "call_1", type: "function", function: { name: "f", arguments: '{"a": 1}' } },
      { id: "call_2", type: "function", function: { name: "g", arguments: "{}" } },
    ],
  });
  assert.equal(finish_reason, "tool_calls");
});

test("tool_calls[].id is made anew where the engine's would not fit or comes twice", () => {
  const ids = (events: readonly string[]) =>
    choiceOf([
      ...events.map((id): CallEvent => ({ type: "tool_call", id, name: "f", arguments: "{}" })),
      stop,
    ]).message.tool_calls?.map(({ id }) => id) ?? [];
  const given = ["functions.f:0", "", "same", "same", "__proto__", "toolu_01-A"];
  const made = ids(given);
  assert.equal(new Set(made).size, given.length);
  assert.deepEqual([made[2], made[4], made[5]], ["same", "__proto__", "toolu_01-A"]);
  for (const index of [0, 1, 3]) assert.match(made[index] ?? "", /^tooluse_[\w-]{22}$/);
  assert.deepEqual(ids(given), made);
});

test("finish_reason is the engine's own", () => {
  for (const reason of ["stop", "length", "tool_calls"] as const) {
    assert.equal(choiceOf([{ type: "finish", reason }]).finish_reason, reason);
  }
});

test("reasoning is shown only to a caller who asked for it", () => {
  const events: CallEvent[] = [
    { type: "thinking", text: "H" },
    { type: "thinking", text: "m" },
    { type: "signature", signature: "sig" },
    { type: "text", text: "Yes" },
    stop,
  ];
  assert.deepEqual(choiceOf(events).message.reasoning, { thinking: "Hm", signature: "sig" });
  const hidden = choiceOf(events, { ...options, includeReasoning: false });
  assert.ok(!("reasoning" in hidden.message));
  assert.ok(!("reasoning" in choiceOf([stop]).message));
});

const THOUGHTS: readonly [what: string, events: readonly CallEvent[], parts: readonly object[]][] =
  [
    ["unsigned thinking", [{ type: "thinking", text: "Hm" }], [{ type: "thinking", text: "Hm" }]],
    [
      "a signature without text",
      [{ type: "signature", signature: "s" }],
      [{ type: "thinking", text: "", signature: "s" }],
    ],
    [
      "a redacted block alone",
      [{ type: "redacted_thinking", data: "xyz" }],
      [{ type: "redacted_thinking", data: "xyz" }],
    ],
    [
      "several blocks",
      [
        { type: "thinking", text: "A" },
        { type: "signature", signature: "a" },
        { type: "redacted_thinking", data: "xyz" },
        { type: "thinking", text: "B" },
        { type: "signature", signature: "b" },
        { type: "thinking", text: "C" },
      ],
      [
        { type: "thinking", text: "A", signature: "a" },
        { type: "redacted_thinking", data: "xyz" },
        { type: "thinking", text: "B", signature: "b" },
        { type: "thinking", text: "C" },
      ],
    ],
  ];

for (const [what, events, parts] of THOUGHTS) {
  test(`reasoning that is ${what} survives the way through the caller's history`, () => {
    const { message } = choiceOf([...events, { type: "text", text: "Yes" }, stop]);
    const [, replayed] = callOf({ messages: [hello, message, hello] }).call.messages;
    assert.deepEqual(replayed?.parts, [...parts, { type: "text", text: "Yes" }]);
  });
}

test("usage shows the counts the engine gave, and no zero for those it did not", () => {
  const shown = (used: Usage) => JSON.parse(render([stop], options, used)).usage;
  assert.deepEqual(shown({ ...usage, cachedTokens: 5, cacheWriteTokens: 2, reasoningTokens: 1 }), {
    prompt_tokens: 7,
    completion_tokens: 3,
    total_tokens: 10,
    prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 1 },
  });
  assert.deepEqual(shown({ ...usage, cachedTokens: 0 }).prompt_tokens_details, {
    cached_tokens: 0,
  });
  assert.ok(!("completion_tokens_details" in shown(usage)));
});

test("a reply that never finished is an error, not a body", () => {
  assert.throws(
    () => render([{ type: "text", text: "Hel" }]),
    (error) => error instanceof ServiceError && error.status === 502,
  );
});
