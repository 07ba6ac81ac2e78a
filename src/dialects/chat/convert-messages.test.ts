// How a history becomes inner messages, and which histories no engine could take.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, hello, mid, refusalOf, small } from "./chat-fixtures.ts";

const conversation = (messages: readonly unknown[], model = mid) => {
  const { system, messages: converted } = callOf({ messages }, model).call;
  return { system, messages: converted };
};
const converted = (...messages: readonly unknown[]) => conversation(messages).messages;
const refused = (...messages: readonly unknown[]): string =>
  refusalOf(() => conversation(messages));

const text = (value: string) => ({ type: "text", text: value });
const call = (id: string, written = "{}") => ({
  id,
  type: "function",
  function: { name: "f", arguments: written },
});
const calling = (...ids: readonly string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => call(id)),
});
const result = (id: string, content: unknown = "ok") => ({
  role: "tool",
  tool_call_id: id,
  content,
});

test("system and developer messages that open the history are the system prompt", () => {
  const { system, messages } = conversation([
    { role: "system", content: "One" },
    { role: "developer", content: [text("Two"), text("Three")] },
    { role: "system", content: "" },
    hello,
    { role: "developer", content: "Later" },
    hello,
  ]);
  assert.deepEqual(system, [text("One"), text("Two"), text("Three")]);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "system", "user"],
  );
});

test("messages of system alone are refused", () => {
  assert.equal(
    refused({ role: "system", content: "One" }),
    "messages: needs at least one message that is not system or developer",
  );
});

test("content of several parts keeps its parts and their order", () => {
  const image = { type: "image_url", image_url: { url: "https://x.test/a.png", detail: "low" } };
  assert.deepEqual(
    converted({ role: "user", content: [text("See"), image, { ...text("!"), cache_control: {} }] }),
    [
      {
        role: "user",
        parts: [
          text("See"),
          { type: "image", source: { type: "url", url: "https://x.test/a.png" } },
          text("!"),
        ],
      },
    ],
  );
});

test("images are refused where the model takes none", () => {
  const image = { type: "image_url", image_url: { url: "https://x.test/a.png" } };
  const messages = [hello, { role: "user", content: [text("See"), image] }];
  assert.equal(
    refusalOf(() => conversation(messages, small)),
    "messages[1].content[1]: claude-3-5-haiku takes no images",
  );
});

test("an assistant message keeps reasoning, text and tool_calls, in this order", () => {
  const written = '{"b": 1,  "a": [1.0]}';
  const [, assistant] = converted(
    hello,
    {
      role: "assistant",
      content: "Let me look",
      tool_calls: [call("a", written), call("b")],
      reasoning: { thinking: "Hm", signature: "sig" },
    },
    result("a"),
    result("b"),
  );
  assert.deepEqual(assistant, {
    role: "assistant",
    parts: [
      { type: "thinking", text: "Hm", signature: "sig" },
      text("Let me look"),
      { type: "tool_call", id: "a", name: "f", arguments: written },
      { type: "tool_call", id: "b", name: "f", arguments: "{}" },
    ],
  });
});

const REASONING: readonly [what: string, reasoning: object, parts: readonly object[]][] = [
  ["unsigned", { thinking: "Hm" }, [{ type: "thinking", text: "Hm" }]],
  [
    "signed without text",
    { thinking: "", signature: "s" },
    [{ type: "thinking", text: "", signature: "s" }],
  ],
  [
    "with a null signature",
    { thinking: "Hm", signature: null },
    [{ type: "thinking", text: "Hm" }],
  ],
  ["empty", { thinking: "" }, []],
  [
    "in blocks",
    {
      thinking: "AB",
      signature: "b",
      blocks: [
        { type: "thinking", thinking: "A", signature: "a" },
        { type: "redacted_thinking", data: "xyz" },
        { type: "thinking", thinking: "B", signature: "b" },
      ],
    },
    [
      { type: "thinking", text: "A", signature: "a" },
      { type: "redacted_thinking", data: "xyz" },
      { type: "thinking", text: "B", signature: "b" },
    ],
  ],
];

for (const [what, reasoning, parts] of REASONING) {
  test(`reasoning that is ${what} is replayed unchanged`, () => {
    const [, assistant] = converted(hello, { role: "assistant", content: "Yes", reasoning }, hello);
    assert.deepEqual(assistant?.parts, [...parts, text("Yes")]);
  });
}

test("an assistant message may be empty, may refuse, and may come in parts", () => {
  const parts = (message: object) => converted(hello, { role: "assistant", ...message })[1]?.parts;
  assert.deepEqual(parts({ content: "" }), [text("")]);
  assert.deepEqual(parts({ content: null, refusal: "No" }), [text("No")]);
  assert.deepEqual(parts({ content: [text("a"), { type: "refusal", refusal: "b" }] }), [
    text("a"),
    text("b"),
  ]);
});

test("an assistant message with neither content nor tool_calls is refused", () => {
  for (const message of [
    {},
    { content: null },
    { content: [] },
    { content: null, tool_calls: [] },
  ]) {
    assert.equal(
      refused(hello, { role: "assistant", ...message }),
      "messages[1]: an assistant message needs content or tool_calls",
    );
  }
});

test("tool messages that follow each other are one message of results, in their order", () => {
  assert.deepEqual(
    converted(
      hello,
      calling("a", "b"),
      result("b", "two"),
      result("a", [text("one"), text("!")]),
    ).at(-1),
    {
      role: "tool",
      parts: [
        { type: "tool_result", callId: "b", parts: [text("two")], isError: false },
        { type: "tool_result", callId: "a", parts: [text("one"), text("!")], isError: false },
      ],
    },
  );
});

test("tool_call_id may come again in a later turn", () => {
  const roles = converted(hello, calling("0"), result("0"), calling("0"), result("0")).map(
    ({ role }) => role,
  );
  assert.deepEqual(roles, ["user", "assistant", "tool", "assistant", "tool"]);
});

test("tool_call_id may be the name of something every object has", () => {
  converted(hello, calling("__proto__", "constructor"), result("constructor"), result("__proto__"));
  assert.match(refused(hello, calling("a"), result("toString")), /"toString" matches no tool call/);
});

test("arguments that are left empty mean no arguments", () => {
  const message = { role: "assistant", tool_calls: [call("a", "")] };
  const part = converted(hello, message, result("a"))[1]?.parts[0];
  assert.deepEqual(part, { type: "tool_call", id: "a", name: "f", arguments: "{}" });
});

test("arguments of 100 KB come through whole", () => {
  const written = JSON.stringify({ text: "x".repeat(100_000) });
  const message = { role: "assistant", tool_calls: [call("a", written)] };
  const part = converted(hello, message, result("a"))[1]?.parts[0];
  assert.ok(part?.type === "tool_call" && part.arguments === written);
});

for (const written of ["{not json", "[1]", '"text"', "null", "5"]) {
  test(`arguments ${written} are refused: they are no JSON object`, () => {
    const message = { role: "assistant", tool_calls: [call("a"), call("b", written)] };
    assert.equal(
      refused(hello, message, result("a"), result("b")),
      `messages[1].tool_calls[1].function.arguments: ${JSON.stringify(written)} is not a JSON object`,
    );
  });
}

test("arguments nested without end are refused", () => {
  const written = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  assert.equal(
    refused(hello, { role: "assistant", tool_calls: [call("a", written)] }, result("a")),
    "messages[1].tool_calls[0].function.arguments: is nested too deeply: the most is 128 levels",
  );
});

const BROKEN: readonly [what: string, messages: readonly unknown[], message: string][] = [
  [
    "a result without a call",
    [hello, result("a")],
    'messages[1].tool_call_id: "a" matches no tool call of the assistant message before it',
  ],
  [
    "a result of another call",
    [hello, calling("a"), result("b")],
    'messages[2].tool_call_id: "b" matches no tool call of the assistant message before it',
  ],
  [
    "a result given twice",
    [hello, calling("a", "b"), result("a"), result("a")],
    'messages[3].tool_call_id: "a" has its result already',
  ],
  [
    "a result of an earlier turn",
    [hello, calling("a"), result("a"), { role: "assistant", content: "Done" }, result("a")],
    'messages[4].tool_call_id: "a" matches no tool call of the assistant message before it',
  ],
  [
    "a result that comes too late",
    [hello, calling("a"), hello, result("a")],
    'messages[1].tool_calls[0].id: "a" has no result: a tool message with this tool_call_id must follow the assistant message',
  ],
  [
    "a call without a result at the end",
    [hello, calling("a", "b"), result("a")],
    'messages[1].tool_calls[1].id: "b" has no result: a tool message with this tool_call_id must follow the assistant message',
  ],
  [
    "two calls of one id",
    [hello, calling("a", "a"), result("a")],
    'messages[1].tool_calls[1].id: "a" is the id of another call already',
  ],
];

for (const [what, messages, message] of BROKEN) {
  test(`tool_calls: ${what} is refused`, () => {
    assert.equal(refused(...messages), message);
  });
}

test("messages by the thousand, with tools, are converted in one pass", () => {
  const turn = [
    hello,
    calling("a", "b"),
    result("a"),
    result("b"),
    { role: "assistant", content: "x" },
  ];
  const history = Array.from({ length: 2000 }, () => turn).flat();
  assert.equal(converted(...history).length, 8000);
});
