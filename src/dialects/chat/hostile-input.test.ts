// Any JSON as a body: what comes back is a call or a 400 that names the field, never anything
// else. Bodies are drawn from nothing, and from a good one with some of its values replaced.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ServiceError } from "../../call/index.ts";
import { bodyWith, context, mid, small, weather } from "./chat-fixtures.ts";
import { parseChatRequest } from "./parse-chat-request.ts";
import { toCall } from "./to-call.ts";

/** Parses and calls; answers the message of a 400, undefined for a call, throws the rest. */
function outcomeOf(body: unknown): string | undefined {
  try {
    const request = parseChatRequest(body);
    for (const model of [mid, small]) toCall(request, model, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 400) throw error;
    return error.message;
  }
}

function assertHarmless(body: unknown): void {
  const message = outcomeOf(body);
  if (message === undefined) return;
  assert.ok(message.length > 0 && message.length < 1200, message);
  assert.ok(message.isWellFormed());
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  assert.doesNotMatch(message, /[\u0000-\u001f\u007f-\u009f]/);
}

const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    "__proto__",
    "constructor",
    "toString",
    "\u0000",
    "\ud800",
    "\u202e",
    "a".repeat(5000),
  ),
  fc.string({ unit: "binary" }),
);
const hostileValue = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -0,
    1e308,
    -1e308,
    2 ** 53,
    1e-320,
    Number.POSITIVE_INFINITY,
    "",
    [],
    {},
  ),
  hostileText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(hostileText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
);

const good = {
  ...bodyWith({}),
  messages: [
    { role: "system", content: "Be kind" },
    { role: "user", content: [{ type: "text", text: "Hi" }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      reasoning: { thinking: "x", signature: "y", blocks: [{ type: "thinking", thinking: "x" }] },
    },
    { role: "tool", tool_call_id: "a", content: "ok" },
    { role: "user", content: [{ type: "image_url", image_url: { url: "https://x.test" } }] },
  ],
  tools: [weather],
  tool_choice: { type: "function", function: { name: "get_weather" } },
  stop: ["a"],
  extended_thinking: { enabled: true, budget_tokens: 2048 },
  response_format: { type: "json_schema", json_schema: { name: "x", schema: {} } },
};

/** The body as text, with the value at one place, found by counting, replaced. */
function replaceNth(body: object, place: number, value: unknown): unknown {
  let seen = -1;
  return JSON.parse(
    JSON.stringify(body, (_, held: unknown) => {
      seen += 1;
      return seen === place ? value : held;
    }) ?? "null",
  );
}

let places = 0;
JSON.stringify(good, (_, held: unknown) => {
  places += 1;
  return held;
});

test("any JSON value as the body is a 400 or a call", () => {
  fc.assert(fc.property(hostileValue, assertHarmless), { numRuns: 500 });
});

test("any JSON value as any field is a 400 or a call", () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(good)), hostileValue, (field, value) => {
      assertHarmless({ ...good, [field]: value });
    }),
    { numRuns: 1000 },
  );
});

test("any JSON value at any place inside a good body is a 400 or a call", () => {
  toCall(parseChatRequest(good), mid, context);
  fc.assert(
    fc.property(fc.nat(places - 1), hostileValue, (place, value) => {
      assertHarmless(replaceNth(good, place, value));
    }),
    { numRuns: 2000 },
  );
});

test("any unknown field is refused by its name", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    const body: unknown = JSON.parse(
      `{"model":"m","messages":[{"role":"user","content":"x"}],${JSON.stringify(name)}:{"temperature":9}}`,
    );
    assert.equal(outcomeOf(body), `unrecognized request argument supplied: ${name}`);
  }
});

test("__proto__ as a field supplies no other field", () => {
  const body: unknown = JSON.parse(
    '{"model":"m","messages":[{"__proto__":{"role":"user"},"content":"x"}],"__proto__":{"stream":true},"allow_ignored_params":true}',
  );
  assert.equal(outcomeOf(body), "messages[0].role: is required");
});

test("nesting without end, anywhere, is a 400 or ignored", () => {
  const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  for (const field of Object.keys(good)) assertHarmless({ ...good, [field]: deep });
  assertHarmless(bodyWith({ messages: [{ role: "user", content: deep }] }));
  assert.equal(outcomeOf(bodyWith({ metadata: deep })), undefined);
});

test("one bad message among a hundred thousand is found", () => {
  const messages: unknown[] = Array.from({ length: 99_999 }, () => ({
    role: "user",
    content: "x",
  }));
  messages.push({ role: "user", content: 5 });
  assert.equal(
    outcomeOf(bodyWith({ messages })),
    "messages[99999].content: 5 is not a string or an array",
  );
});
