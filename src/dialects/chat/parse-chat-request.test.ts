// One row for each rule of a field that needs no model. The rules that do: to-call.test.ts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyWith, hello, refusalOf, weather } from "./chat-fixtures.ts";
import { parseChatRequest } from "./parse-chat-request.ts";

const named = (name: unknown): object => ({
  tools: [{ type: "function", function: { name } }],
});

const REFUSALS: readonly [field: string, fields: object, message: string][] = [
  ["model", { model: undefined }, "model: is required"],
  ["model", { model: 5 }, "model: 5 is not a string"],
  ["model", { model: "" }, "model: must not be empty"],
  ["messages", { messages: undefined }, "messages: is required"],
  ["messages", { messages: null }, "messages: null is not an array"],
  ["messages", { messages: "Hello" }, 'messages: "Hello" is not an array'],
  ["messages", { messages: [] }, "messages: must not be empty"],
  ["messages", { messages: [hello, "x"] }, 'messages[1]: "x" is not an object'],
  ["role", { messages: [{ content: "x" }] }, "messages[0].role: is required"],
  [
    "role",
    { messages: [hello, hello, { role: "robot", content: "x" }] },
    'messages[2].role: "robot" is not one of "system", "developer", "user", "assistant", "tool"',
  ],
  ["content", { messages: [{ role: "user" }] }, "messages[0].content: is required"],
  [
    "content",
    { messages: [{ role: "user", content: null }] },
    "messages[0].content: null is not a string or an array",
  ],
  [
    "content",
    { messages: [{ role: "user", content: [] }] },
    "messages[0].content: must not be empty",
  ],
  [
    "content",
    { messages: [{ role: "user", content: [{ type: "audio" }] }] },
    'messages[0].content[0].type: "audio" is not one of "text", "image_url"',
  ],
  [
    "content",
    { messages: [{ role: "user", content: [{ type: "text" }] }] },
    "messages[0].content[0].text: is required",
  ],
  [
    "content",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: "x" }] }] },
    'messages[0].content[0].image_url: "x" is not an object',
  ],
  [
    "tool_call_id",
    { messages: [{ role: "tool", content: "x" }] },
    "messages[0].tool_call_id: is required",
  ],
  [
    "tool_calls",
    { messages: [{ role: "assistant", tool_calls: [{ id: "a", function: { name: "f" } }] }] },
    "messages[0].tool_calls[0].function.arguments: is required",
  ],
  [
    "tool_calls",
    {
      messages: [
        { role: "assistant", tool_calls: [{ id: "a", function: { name: "f", arguments: {} } }] },
      ],
    },
    "messages[0].tool_calls[0].function.arguments: {} is not a string",
  ],
  [
    "reasoning",
    { messages: [{ role: "assistant", content: "x", reasoning: { thinking: 5 } }] },
    "messages[0].reasoning.thinking: 5 is not a string",
  ],
  [
    "max_completion_tokens",
    { max_completion_tokens: 12.5 },
    "max_completion_tokens: 12.5 is not an integer",
  ],
  [
    "max_completion_tokens",
    { max_completion_tokens: 0 },
    "max_completion_tokens: 0 is out of range: it must be at least 1",
  ],
  [
    "max_completion_tokens",
    { max_completion_tokens: "100" },
    'max_completion_tokens: "100" is not an integer',
  ],
  ["max_tokens", { max_tokens: -1 }, "max_tokens: -1 is out of range: it must be at least 1"],
  [
    "max_tokens",
    { max_tokens: 10, max_completion_tokens: 20 },
    "max_tokens: 10 differs from max_completion_tokens: 20; they are two names of one limit, give one",
  ],
  [
    "temperature",
    { temperature: 1.5 },
    "temperature: 1.5 is out of range: it must be between 0.0 and 1.0",
  ],
  [
    "temperature",
    { temperature: -0.1 },
    "temperature: -0.1 is out of range: it must be between 0.0 and 1.0",
  ],
  ["temperature", { temperature: "hot" }, 'temperature: "hot" is not a number'],
  ["top_p", { top_p: 1.01 }, "top_p: 1.01 is out of range: it must be between 0.0 and 1.0"],
  ["top_p", { top_p: -1 }, "top_p: -1 is out of range: it must be between 0.0 and 1.0"],
  ["stream", { stream: "true" }, 'stream: "true" is not a boolean'],
  ["stream_options", { stream_options: true }, "stream_options: true is not an object"],
  ["stop", { stop: 5 }, "stop: 5 is not a string or an array"],
  ["stop", { stop: "" }, "stop: must not be empty"],
  ["stop", { stop: ["a", ""] }, "stop[1]: must not be empty"],
  ["stop", { stop: ["a", null] }, "stop[1]: null is not a string"],
  ["stop", { stop: Array(17).fill("a") }, "stop: has too many items: the most is 16"],
  [
    "stop",
    { stop: "a".repeat(257) },
    `stop: "${"a".repeat(64)}…" is too long: the most is 256 characters`,
  ],
  [
    "tools",
    { tools: weather },
    'tools: {"type":"function","function":{"name":"get_weather","description… is not an array',
  ],
  [
    "tools",
    { tools: [{ ...weather, type: "custom" }] },
    'tools[0].type: "custom" is not "function"',
  ],
  ["tools", { tools: [{ type: "function" }] }, "tools[0].function: is required"],
  ["function.name", named(undefined), "tools[0].function.name: is required"],
  [
    "function.name",
    named("get weather"),
    'tools[0].function.name: "get weather" must be 1 to 64 letters, digits, underscores or hyphens',
  ],
  [
    "function.name",
    named("x".repeat(65)),
    `tools[0].function.name: "${"x".repeat(64)}…" must be 1 to 64 letters, digits, underscores or hyphens`,
  ],
  [
    "function.name",
    named("x\n"),
    'tools[0].function.name: "x\\n" must be 1 to 64 letters, digits, underscores or hyphens',
  ],
  [
    "function.description",
    { tools: [{ type: "function", function: { name: "f", description: 5 } }] },
    "tools[0].function.description: 5 is not a string",
  ],
  [
    "function.parameters",
    { tools: [{ type: "function", function: { name: "f", parameters: [] } }] },
    "tools[0].function.parameters: [] is not an object",
  ],
  [
    "function.parameters",
    { tools: [{ type: "function", function: { name: "f", parameters: { type: "array" } } }] },
    'tools[0].function.parameters.type: "array" is not "object"',
  ],
  [
    "function.parameters",
    { tools: [{ type: "function", function: { name: "f", parameters: { required: "a" } } }] },
    'tools[0].function.parameters.required: "a" is not an array',
  ],
  [
    "function.strict",
    { tools: [{ type: "function", function: { name: "f", strict: 1 } }] },
    "tools[0].function.strict: 1 is not a boolean",
  ],
  [
    "tool_choice",
    { tool_choice: "any" },
    'tool_choice: "any" is not one of "none", "auto", "required"',
  ],
  [
    "tool_choice",
    { tool_choice: 5 },
    'tool_choice: 5 is not "none", "auto", "required" or an object',
  ],
  ["tool_choice", { tool_choice: { type: "function" } }, "tool_choice.function: is required"],
  ["parallel_tool_calls", { parallel_tool_calls: 1 }, "parallel_tool_calls: 1 is not a boolean"],
  ["extended_thinking", { extended_thinking: true }, "extended_thinking: true is not an object"],
  [
    "extended_thinking.enabled",
    { extended_thinking: {} },
    "extended_thinking.enabled: is required",
  ],
  [
    "extended_thinking.budget_tokens",
    { extended_thinking: { enabled: true, budget_tokens: 1023 } },
    "extended_thinking.budget_tokens: 1023 is out of range: it must be at least 1024",
  ],
  [
    "extended_thinking.budget_tokens",
    { extended_thinking: { enabled: true, budget_tokens: 2000.5 } },
    "extended_thinking.budget_tokens: 2000.5 is not an integer",
  ],
  [
    "extended_thinking.include_reasoning",
    { extended_thinking: { enabled: true, include_reasoning: "yes" } },
    'extended_thinking.include_reasoning: "yes" is not a boolean',
  ],
  [
    "reasoning_effort",
    { reasoning_effort: "huge" },
    'reasoning_effort: "huge" is not one of "none", "minimal", "low", "medium", "high", "xhigh", "max"',
  ],
  [
    "response_format",
    { response_format: { type: "xml" } },
    'response_format.type: "xml" is not one of "text", "json_object", "json_schema"',
  ],
  ["response_format", { response_format: "json" }, 'response_format: "json" is not an object'],
  [
    "response_format",
    { response_format: { type: "json_schema" } },
    "response_format.json_schema: is required",
  ],
  [
    "response_format",
    { response_format: { type: "json_schema", json_schema: { name: "x" } } },
    "response_format.json_schema.schema: is required",
  ],
  ["logprobs", { logprobs: true }, "logprobs: log probabilities are unavailable"],
  ["top_logprobs", { top_logprobs: 5 }, "top_logprobs: log probabilities are unavailable"],
  ["allow_ignored_params", { allow_ignored_params: 1 }, "allow_ignored_params: 1 is not a boolean"],
  ["an unknown field", { top_k: 5 }, "unrecognized request argument supplied: top_k"],
  [
    "several unknown fields",
    { top_k: 5, functions: [] },
    "unrecognized request arguments supplied: top_k, functions",
  ],
];

for (const [field, fields, message] of REFUSALS) {
  test(`${field} is refused with: ${message}`, () => {
    assert.equal(
      refusalOf(() => parseChatRequest(bodyWith(fields))),
      message,
    );
  });
}

const IGNORED = [
  "seed",
  "n",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "user",
  "store",
  "metadata",
  "service_tier",
  "safety_identifier",
  "prediction",
  "verbosity",
  "prompt_cache_key",
];

for (const field of IGNORED) {
  test(`${field} is accepted whatever it holds`, () => {
    for (const value of [null, 5, "x", true, [], { a: { b: 1 } }]) {
      parseChatRequest(bodyWith({ [field]: value }));
    }
  });
}

test("a field that is null counts as absent", () => {
  parseChatRequest(
    bodyWith({
      max_completion_tokens: null,
      max_tokens: null,
      temperature: null,
      top_p: null,
      stream: null,
      stream_options: null,
      stop: null,
      tools: null,
      tool_choice: null,
      parallel_tool_calls: null,
      extended_thinking: null,
      reasoning_effort: null,
      response_format: null,
      allow_ignored_params: null,
      logprobs: null,
      top_logprobs: null,
    }),
  );
});

test("logprobs false asks for nothing and is accepted", () => {
  parseChatRequest(bodyWith({ logprobs: false }));
});

test("allow_ignored_params lets unknown fields and logprobs pass", () => {
  const request = parseChatRequest(
    bodyWith({ allow_ignored_params: true, top_k: 5, logprobs: true, top_logprobs: 3 }),
  );
  assert.ok(!("top_k" in request));
});

test("stream_options is accepted, with or without stream", () => {
  parseChatRequest(bodyWith({ stream_options: { include_usage: false, new_option: 1 } }));
});

test("messages by the ten thousand are accepted", () => {
  const messages = Array.from({ length: 10_000 }, () => hello);
  assert.equal(parseChatRequest(bodyWith({ messages })).messages.length, 10_000);
});

test("a message sent back as it came from a reply is accepted, with fields we do not know", () => {
  parseChatRequest(
    bodyWith({
      messages: [
        hello,
        {
          role: "assistant",
          content: "Hi",
          refusal: null,
          annotations: [],
          audio: null,
          function_call: null,
          tool_calls: null,
          reasoning: null,
          reasoning_content: "…",
          name: "bot",
        },
        hello,
      ],
    }),
  );
});
