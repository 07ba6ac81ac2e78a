// Tools, whole and streamed: what the upstream is told, what comes back, and the whole way
// from a call over its result to the answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolSpec, Turn } from "./client.ts";
import { type Stage, WAYS } from "./stage.ts";
import { answer } from "./upstream-answers.ts";

const WEATHER: ToolSpec = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string", description: "Where" } },
    required: ["city"],
  },
};
const TIME: ToolSpec = {
  name: "get_time",
  description: "Time in a zone",
  parameters: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
};
const tools = [WEATHER, TIME];

/** The calls of the loop, under the ids by which the upstream must find them again. */
const ASKED = [
  {
    id: "call_1",
    type: "function",
    function: { name: "get_weather", arguments: '{"city":"Bern"}' },
  },
  { id: "call_2", type: "function", function: { name: "get_time", arguments: '{"zone":"CET"}' } },
];

export function toolBehaviours(stage: Stage): void {
  const upstreamChoice = (): unknown => stage.bed.lastRequest().body.tool_choice;

  for (const { way, send } of WAYS) {
    const expected = stage.library.sendsToolChoice ?? "required";
    test(`tools without a choice mean ${expected} (${way})`, async () => {
      stage.bed.script(answer({ calls: [{ id: "a", name: "get_time", arguments: "{}" }] }));
      const said = await send(await stage.client(), { messages: "Hello", tools });
      assert.equal(upstreamChoice(), expected);
      assert.equal(said.finishReason, "tool_calls");
    });

    test(`required makes the model call a tool (${way})`, async () => {
      const ask = { messages: "Hello", tools, toolChoice: "required" } as const;
      const said = await send(await stage.client(), ask);
      assert.equal(upstreamChoice(), "required");
      assert.equal(said.calls.length, 1);
    });

    test(`a tool forced by name is called with arguments that parse (${way})`, async () => {
      const ask = { messages: "Hello", tools, toolChoice: { name: "get_time" } };
      const said = await send(await stage.client(), ask);
      assert.deepEqual(upstreamChoice(), { type: "function", function: { name: "get_time" } });
      assert.equal(said.finishReason, "tool_calls");
      assert.equal(said.calls[0]?.name, "get_time");
      assert.deepEqual(said.calls[0]?.arguments, { zone: "text" });
      assert.match(said.calls[0]?.id ?? "", /^[a-zA-Z0-9_-]+$/);
    });

    for (const toolChoice of ["none", "auto"] as const) {
      test(`${toolChoice} lets the model answer in words (${way})`, async () => {
        const said = await send(await stage.client(), { messages: "Hello", tools, toolChoice });
        assert.equal(upstreamChoice(), toolChoice);
        assert.equal(said.text, "Hello");
        assert.equal(said.finishReason, "stop");
        assert.deepEqual(said.calls, []);
      });
    }

    test(`tool definitions reach the upstream as they were given (${way})`, async () => {
      await send(await stage.client(), { messages: "Hello", tools, toolChoice: "auto" });
      const received = stage.bed.lastRequest().body.tools;
      assert.deepEqual(
        received,
        tools.map((tool) => ({ type: "function", function: tool })),
      );
    });

    test(`parallel calls keep their order, and their ids are unique (${way})`, async () => {
      stage.bed.script(
        answer({
          pieces: ["Let me look."],
          calls: [
            { id: "call_1", name: "get_weather", arguments: '{"city":"Zürich 🌧"}' },
            { id: "call_2", name: "get_time", arguments: '{ "zone" : "CET" }' },
            { id: "call_3", name: "get_weather", arguments: '{"city":"Oslo"}' },
          ],
        }),
      );
      const said = await send(await stage.client(), { messages: "Compare", tools });
      assert.equal(said.text, "Let me look.");
      assert.equal(said.finishReason, "tool_calls");
      assert.deepEqual(
        said.calls.map(({ name, arguments: given }) => [name, given]),
        [
          ["get_weather", { city: "Zürich 🌧" }],
          ["get_time", { zone: "CET" }],
          ["get_weather", { city: "Oslo" }],
        ],
      );
      assert.equal(new Set(said.calls.map(({ id }) => id)).size, 3);
    });

    test(`calls that the upstream gives one id get one each (${way})`, async () => {
      stage.bed.script(
        answer({
          calls: [
            { id: "get_weather", name: "get_weather", arguments: '{"city":"Bern"}' },
            { id: "get_weather", name: "get_weather", arguments: '{"city":"Oslo"}' },
          ],
        }),
      );
      const said = await send(await stage.client(), { messages: "Compare", tools });
      assert.deepEqual(
        said.calls.map((call) => call.arguments),
        [{ city: "Bern" }, { city: "Oslo" }],
      );
      assert.equal(new Set(said.calls.map(({ id }) => id)).size, 2);
    });

    test(`large arguments arrive whole (${way})`, async () => {
      const city = "x".repeat(100_000);
      const written = JSON.stringify({ city });
      stage.bed.script(answer({ calls: [{ id: "a", name: "get_weather", arguments: written }] }));
      const said = await send(await stage.client(), { messages: "Long", tools });
      assert.deepEqual(said.calls[0]?.arguments, { city });
    });

    test(`a call without arguments has none (${way})`, async () => {
      stage.bed.script(answer({ calls: [{ id: "a", name: "get_time", arguments: "" }] }));
      const said = await send(await stage.client(), { messages: "When", tools });
      assert.deepEqual(said.calls[0]?.arguments, {});
    });

    test(`a tool loop goes from the call over its results to the answer (${way})`, async () => {
      const client = await stage.client();
      stage.bed.script(
        answer({ calls: ASKED.map(({ id, function: called }) => ({ id, ...called })) }),
        answer({ pieces: ["Rain", " at nine."] }),
      );
      const question: Turn = { role: "user", text: "Weather and time in Bern?" };
      const first = await send(client, { messages: [question], tools });
      const second = await send(client, {
        messages: [
          question,
          { role: "assistant", text: "", calls: first.calls },
          ...first.calls.map(
            (call): Turn => ({ role: "tool", call, text: `result of ${call.name}` }),
          ),
        ],
        tools,
        toolChoice: "auto",
      });
      assert.equal(second.text, "Rain at nine.");
      assert.equal(second.finishReason, "stop");
      assert.deepEqual(stage.bed.lastRequest().body.messages, [
        { role: "user", content: "Weather and time in Bern?" },
        { role: "assistant", content: null, tool_calls: ASKED },
        { role: "tool", tool_call_id: "call_1", content: "result of get_weather" },
        { role: "tool", tool_call_id: "call_2", content: "result of get_time" },
      ]);
    });
  }
}
