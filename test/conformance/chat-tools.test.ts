// Tools over the whole service: how they are described, which choice the upstream is given,
// and how calls come back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { status } from "../support/mock-upstream-behaviours.ts";
import { assertRefused, errorOf, openStage, replyOf, type Stage } from "./stage.ts";

const parameters = {
  type: "object",
  properties: { city: { type: "string", description: "Where" } },
  required: ["city"],
};
const weather = {
  type: "function",
  function: { name: "get_weather", description: "Weather of a city", parameters },
};
const clock = { type: "function", function: { name: "clock" } };
const tools = [clock, weather];

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

test("a tool is of type function and no other", async () => {
  replyOf(await stage.chat({ tools: [weather] }));
  assertRefused(
    await stage.chat({ tools: [{ ...weather, type: "custom" }] }),
    'tools[0].type: "custom" is not "function"',
  );
});

test("a tool has a name, required, of letters, digits, underscores and hyphens", async () => {
  assertRefused(
    await stage.chat({ tools: [{ type: "function", function: {} }] }),
    "tools[0].function.name: is required",
  );
  assertRefused(
    await stage.chat({ tools: [{ type: "function", function: { name: "a b" } }] }),
    'tools[0].function.name: "a b" must be 1 to 64 letters, digits, underscores or hyphens',
  );
});

test("a tool reaches the upstream with its name, description and parameters", async () => {
  replyOf(await stage.chat({ tools: [weather] }));
  assert.deepEqual(stage.lastSent().tools, [weather]);
});

test("a tool has parameters that are an object schema, or none at all", async () => {
  const withParameters = (given: unknown) => ({
    tools: [{ type: "function", function: { name: "f", parameters: given } }],
  });
  assertRefused(
    await stage.chat(withParameters({ type: "array" })),
    'tools[0].function.parameters.type: "array" is not "object"',
  );
  assertRefused(
    await stage.chat(withParameters({ type: "object", properties: [] })),
    "tools[0].function.parameters.properties: [] is not an object",
  );
  assertRefused(
    await stage.chat(withParameters({ type: "object", required: [1] })),
    "tools[0].function.parameters.required[0]: 1 is not a string",
  );
  replyOf(await stage.chat({ tools: [clock] }));
  assert.deepEqual(stage.lastSent().tools, [
    {
      type: "function",
      function: { name: "clock", parameters: { type: "object", properties: {} } },
    },
  ]);
});

test("tool_choice is required by default where there are tools", async () => {
  const reply = replyOf(await stage.chat({ tools }));
  assert.equal(stage.lastSent().tool_choice, "required");
  assert.equal(reply.choices[0]?.finish_reason, "tool_calls");
});

test("tool_choice is not spoken of where there are no tools", async () => {
  replyOf(await stage.chat());
  assert.equal("tool_choice" in stage.lastSent(), false);
  assertRefused(
    await stage.chat({ tool_choice: "required" }),
    'tool_choice: "required" needs tools, and none are given',
  );
});

test("tool_choice none brings text and no call", async () => {
  const { message, finish_reason } = only(await stage.chat({ tools, tool_choice: "none" }));
  assert.equal(stage.lastSent().tool_choice, "none");
  assert.equal(message.tool_calls, undefined);
  assert.equal(message.content, "Hello there");
  assert.equal(finish_reason, "stop");
});

test("tool_choice auto leaves the choice to the model", async () => {
  const { message } = only(await stage.chat({ tools, tool_choice: "auto" }));
  assert.equal(stage.lastSent().tool_choice, "auto");
  assert.equal(message.tool_calls, undefined);
});

test("tool_choice required brings at least one call", async () => {
  const { message } = only(await stage.chat({ tools, tool_choice: "required" }));
  assert.equal(stage.lastSent().tool_choice, "required");
  assert.equal(message.tool_calls?.length, 1);
});

test("tool_choice with a named function forces that one and brings structured arguments", async () => {
  const choice = { type: "function", function: { name: "get_weather" } };
  const { message } = only(await stage.chat({ tools, tool_choice: choice }));
  assert.deepEqual(stage.lastSent().tool_choice, choice);
  const [call] = message.tool_calls ?? [];
  assert.equal(call?.function.name, "get_weather");
  assert.deepEqual(JSON.parse(call?.function.arguments ?? ""), { city: "text" });
  assertRefused(
    await stage.chat({ tools, tool_choice: { type: "function", function: { name: "x" } } }),
    'tool_choice.function.name: "x" is not the name of one of the tools',
  );
});

test("tool_choice with any other word is refused", async () => {
  assertRefused(
    await stage.chat({ tools, tool_choice: "any" }),
    'tool_choice: "any" is not one of "none", "auto", "required"',
  );
});

test("tool_choice that the upstream refuses comes back as its refusal", async () => {
  stage.upstream.script(status(400, { error: { message: "tools are not supported" } }));
  const refused = errorOf(await stage.chat({ tools }));
  assert.equal(refused.code, 400);
  assert.match(refused.message, /tools are not supported/);
});

function only(answer: Parameters<typeof replyOf>[0]) {
  const [choice] = replyOf(answer).choices;
  assert.ok(choice);
  return choice;
}
