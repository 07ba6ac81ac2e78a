// What a request becomes on a given model: defaults, ranges that depend on it, thinking, tools.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../../catalog/index.ts";
import { callOf, context, mid, refusalOf, small, weather } from "./chat-fixtures.ts";

const refused = (fields: object, model: Model = mid, given = context): string =>
  refusalOf(() => callOf(fields, model, given));

const nested = (levels: number): object =>
  JSON.parse(`${'{"properties":'.repeat(levels)}{}${"}".repeat(levels)}`);

test("a plain request becomes a call with every default", () => {
  const { call, includeReasoning } = callOf({});
  assert.deepEqual(call, {
    id: "req-1",
    model: "claude-4-sonnet",
    caller: "res-1",
    system: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
    tools: [],
    toolChoice: { type: "none" },
    parallelToolCalls: true,
    sampling: { temperature: 1, topP: 0.999, stop: [] },
    maxOutputTokens: 8192,
    format: { type: "text" },
    promptCaching: true,
    stream: false,
  });
  assert.equal(includeReasoning, false);
});

test("model of another kind is refused with the route that takes it", () => {
  const refuseKind = (kind: Model["kind"]): string => refused({}, { ...mid, id: "other", kind });
  assert.equal(
    refuseKind("embedding"),
    "model: other is an embedding model: use POST /v1/embeddings",
  );
  assert.equal(refuseKind("rerank"), "model: other is a rerank model: use POST /v1/rerank");
  assert.equal(
    refuseKind("image"),
    "model: other is an image model: use POST /v1/images/generations",
  );
});

test("max_completion_tokens goes up to the model's maximum, which is also its default", () => {
  assert.equal(callOf({ max_completion_tokens: 8192 }).call.maxOutputTokens, 8192);
  assert.equal(callOf({ max_completion_tokens: 1 }).call.maxOutputTokens, 1);
  assert.equal(callOf({}, small).call.maxOutputTokens, 4096);
  assert.equal(
    refused({ max_completion_tokens: 8193 }),
    "max_completion_tokens: 8193 is out of range: it must be between 1 and 8192 for claude-4-sonnet",
  );
  assert.equal(
    refused({ max_completion_tokens: 4097 }, small),
    "max_completion_tokens: 4097 is out of range: it must be between 1 and 4096 for claude-3-5-haiku",
  );
  assert.match(
    refused({ max_completion_tokens: 1e300 }),
    /^max_completion_tokens: 1e\+300 is out of range/,
  );
});

test("max_tokens is another name of max_completion_tokens", () => {
  assert.equal(callOf({ max_tokens: 7 }).call.maxOutputTokens, 7);
  assert.equal(callOf({ max_tokens: 7, max_completion_tokens: 7 }).call.maxOutputTokens, 7);
  assert.equal(callOf({ max_tokens: 7, max_completion_tokens: null }).call.maxOutputTokens, 7);
  assert.equal(
    refused({ max_tokens: 9000 }),
    "max_tokens: 9000 is out of range: it must be between 1 and 8192 for claude-4-sonnet",
  );
});

test("temperature and top_p reach the call, their ends included", () => {
  const sampling = (fields: object) => callOf(fields).call.sampling;
  assert.deepEqual(sampling({ temperature: 0, top_p: 0 }), { temperature: 0, topP: 0, stop: [] });
  assert.deepEqual(sampling({ temperature: 1, top_p: 1 }), { temperature: 1, topP: 1, stop: [] });
  assert.deepEqual(sampling({ temperature: null, top_p: null }), {
    temperature: 1,
    topP: 0.999,
    stop: [],
  });
});

test("stop is taken as a list or as one string", () => {
  assert.deepEqual(callOf({ stop: ["a", "b"] }).call.sampling.stop, ["a", "b"]);
  assert.deepEqual(callOf({ stop: "END" }).call.sampling.stop, ["END"]);
  assert.deepEqual(callOf({ stop: null }).call.sampling.stop, []);
});

test("stream and prompt caching reach the call", () => {
  assert.equal(callOf({ stream: true }).call.stream, true);
  assert.equal(callOf({}, mid, { ...context, promptCaching: false }).call.promptCaching, false);
});

test("tools reach the call with name, description, parameters and strict", () => {
  const { parameters } = weather.function;
  assert.deepEqual(callOf({ tools: [weather] }).call.tools, [
    { name: "get_weather", description: "Weather of a city", parameters },
  ]);
  const bare = { type: "function", function: { name: "now", strict: true, description: null } };
  assert.deepEqual(callOf({ tools: [bare] }).call.tools, [
    { name: "now", parameters: { type: "object", properties: {} }, strict: true },
  ]);
});

test("function.parameters without a type get the one they must have", () => {
  const untyped = { type: "function", function: { name: "f", parameters: { required: [] } } };
  assert.deepEqual(callOf({ tools: [untyped] }).call.tools[0]?.parameters, {
    type: "object",
    required: [],
  });
});

test("tools of one name twice are refused", () => {
  assert.equal(
    refused({ tools: [weather, weather] }),
    'tools[1].function.name: "get_weather" is the name of another tool too',
  );
});

test("tools may be named like things every object has", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const tools = names.map((name) => ({ type: "function", function: { name } }));
  const { call } = callOf({
    tools,
    tool_choice: { type: "function", function: { name: "__proto__" } },
  });
  assert.deepEqual(
    call.tools.map(({ name }) => name),
    names,
  );
  assert.deepEqual(call.toolChoice, { type: "named", name: "__proto__" });
  assert.equal(
    refused({
      tools: [weather],
      tool_choice: { type: "function", function: { name: "constructor" } },
    }),
    'tool_choice.function.name: "constructor" is not the name of one of the tools',
  );
});

test("function.parameters and response_format nested without end are refused, not followed", () => {
  const tool = (parameters: object) => [{ type: "function", function: { name: "f", parameters } }];
  assert.equal(
    refused({ tools: tool(nested(10_000)) }),
    "tools[0].function.parameters: is nested too deeply: the most is 128 levels",
  );
  callOf({ tools: tool(nested(100)) });
  assert.equal(
    refused({
      response_format: { type: "json_schema", json_schema: { name: "x", schema: nested(10_000) } },
    }),
    "response_format.json_schema.schema: is nested too deeply: the most is 128 levels",
  );
});

test("tool_choice is required by default where tools are given, none where not", () => {
  assert.deepEqual(callOf({ tools: [weather] }).call.toolChoice, { type: "required" });
  assert.deepEqual(callOf({ tools: [weather], tool_choice: null }).call.toolChoice, {
    type: "required",
  });
  assert.deepEqual(callOf({}).call.toolChoice, { type: "none" });
  assert.deepEqual(callOf({ tools: [] }).call.toolChoice, { type: "none" });
});

test("tool_choice none, auto, required and a named function reach the call", () => {
  for (const type of ["none", "auto", "required"]) {
    assert.deepEqual(callOf({ tools: [weather], tool_choice: type }).call.toolChoice, { type });
  }
  const choice = { type: "function", function: { name: "get_weather" } };
  assert.deepEqual(callOf({ tools: [weather], tool_choice: choice }).call.toolChoice, {
    type: "named",
    name: "get_weather",
  });
});

test("tool_choice without tools is harmless as none or auto, refused otherwise", () => {
  assert.deepEqual(callOf({ tool_choice: "auto" }).call.toolChoice, { type: "none" });
  assert.deepEqual(callOf({ tool_choice: "none", tools: [] }).call.toolChoice, { type: "none" });
  assert.equal(
    refused({ tool_choice: "required" }),
    'tool_choice: "required" needs tools, and none are given',
  );
  assert.match(
    refused({ tool_choice: { type: "function", function: { name: "f" } } }),
    /^tool_choice: \{"type":"function".* needs tools, and none are given$/,
  );
});

test("parallel_tool_calls is honoured", () => {
  assert.equal(callOf({ parallel_tool_calls: false }).call.parallelToolCalls, false);
  assert.equal(callOf({ parallel_tool_calls: true }).call.parallelToolCalls, true);
});

test("extended_thinking sets the budget and says whether the trace is shown", () => {
  const thinking = { enabled: true, budget_tokens: 2048, include_reasoning: true };
  const { call, includeReasoning } = callOf({ extended_thinking: thinking });
  assert.deepEqual(call.thinking, { budgetTokens: 2048 });
  assert.equal(includeReasoning, true);
  assert.equal(callOf({ extended_thinking: { enabled: true } }).includeReasoning, false);
});

test("extended_thinking.budget_tokens is 1024 by default", () => {
  assert.deepEqual(callOf({ extended_thinking: { enabled: true } }).call.thinking, {
    budgetTokens: 1024,
  });
});

test("extended_thinking.budget_tokens keeps to the model's range", () => {
  assert.equal(
    refused({ extended_thinking: { enabled: true, budget_tokens: 8193 } }),
    "extended_thinking.budget_tokens: 8193 is out of range: it must be between 1024 and 8192 for claude-4-sonnet",
  );
});

test("extended_thinking.budget_tokens leaves room for an answer", () => {
  assert.equal(
    refused({ max_tokens: 2048, extended_thinking: { enabled: true, budget_tokens: 2048 } }),
    "extended_thinking.budget_tokens: 2048 leaves no room for an answer: it must be less than max_tokens, which is 2048",
  );
  assert.equal(
    refused({ max_completion_tokens: 500, extended_thinking: { enabled: true } }),
    "extended_thinking.budget_tokens: 1024 leaves no room for an answer: it must be less than max_completion_tokens, which is 500",
  );
  const { call } = callOf({ extended_thinking: { enabled: true, budget_tokens: 8192 } });
  assert.deepEqual(call.thinking, { budgetTokens: 8191 });
});

test("extended_thinking on a model that does not think is refused, and says which do", () => {
  const fields = { extended_thinking: { enabled: true } };
  assert.equal(
    refused(fields, small),
    "extended_thinking is not supported by claude-3-5-haiku; leave it out or set enabled to false",
  );
  assert.equal(
    refused(fields, small, {
      ...context,
      thinkingModels: ["claude-4-sonnet", "claude-3-7-sonnet"],
    }),
    "extended_thinking is not supported by claude-3-5-haiku; use claude-4-sonnet or claude-3-7-sonnet",
  );
});

test("extended_thinking.enabled false is fine on every model and shows nothing", () => {
  const off = { enabled: false, budget_tokens: 50_000, include_reasoning: true };
  for (const model of [mid, small]) {
    const { call, includeReasoning } = callOf({ extended_thinking: off }, model);
    assert.equal(call.thinking, undefined);
    assert.equal(includeReasoning, false);
  }
});

const EFFORTS: readonly [effort: string, budget: number | undefined][] = [
  ["none", undefined],
  ["minimal", 1024],
  ["low", 1024],
  ["medium", 4096],
  ["high", 8191],
  ["xhigh", 8191],
  ["max", 8191],
];

for (const [effort, budget] of EFFORTS) {
  test(`reasoning_effort ${effort} is a budget of ${budget} where 8192 tokens may be written`, () => {
    assert.equal(callOf({ reasoning_effort: effort }).call.thinking?.budgetTokens, budget);
    assert.equal(callOf({ reasoning_effort: effort }, small).call.thinking, undefined);
  });
}

test("reasoning_effort keeps to the model's maximum and to the room there is", () => {
  const large = { ...mid, maxOutputTokens: 64_000 };
  const budget = (fields: object, model: Model = large) =>
    callOf(fields, model).call.thinking?.budgetTokens;
  assert.equal(budget({ reasoning_effort: "high" }), 8192);
  assert.equal(budget({ reasoning_effort: "max" }), 8192);
  assert.equal(budget({ reasoning_effort: "medium", max_tokens: 2000 }), 1999);
  assert.equal(budget({ reasoning_effort: "medium", max_tokens: 1000 }), undefined);
});

test("reasoning_effort gives way to extended_thinking", () => {
  const fields = { reasoning_effort: "high", extended_thinking: { enabled: false } };
  assert.equal(callOf(fields).call.thinking, undefined);
  const { call } = callOf({ reasoning_effort: "high", extended_thinking: { enabled: true } });
  assert.deepEqual(call.thinking, { budgetTokens: 1024 });
});

test("response_format text, json_object and json_schema reach the call", () => {
  const format = (response_format: object) => callOf({ response_format }).call.format;
  assert.deepEqual(format({ type: "text" }), { type: "text" });
  assert.deepEqual(format({ type: "json_object" }), { type: "json" });
  const schema = { type: "object", properties: { a: { type: "string" } } };
  assert.deepEqual(format({ type: "json_schema", json_schema: { name: "x", schema } }), {
    type: "json_schema",
    name: "x",
    schema,
  });
  assert.deepEqual(
    format({ type: "json_schema", json_schema: { name: "x", schema, strict: true } }),
    {
      type: "json_schema",
      name: "x",
      schema,
      strict: true,
    },
  );
});
