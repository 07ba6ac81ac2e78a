// What the OpenAI library builds on top of the wire: stream gatherers, tool loops, parsed
// replies, time-outs. They break on details of framing that a plain reader never notices.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { asArray, asRecord, type JsonRecord } from "../../src/engines/openai/read-json.ts";
import { dieAfter, hang, stall } from "../support/mock-upstream-behaviours.ts";
import type { Major, MajorClient } from "./openai-majors.ts";
import { toBody, type WireBody, type WireMessage } from "./openai-wire.ts";
import type { Stage } from "./stage.ts";
import { SMALL, THINKING } from "./test-bed.ts";
import { answer, frame, USAGE } from "./upstream-answers.ts";

const hello = toBody({ messages: "Hello" });
const WEATHER_CALL = { id: "call_1", name: "get_weather", arguments: '{"city":"Bern"}' };
const forecast = z.object({ city: z.string(), days: z.number() });

export function openAiHelperBehaviours(stage: Stage, major: Major): void {
  const open = async (model = SMALL): Promise<MajorClient> =>
    major.open({
      baseURL: stage.bed.baseUrl,
      apiKey: await stage.bed.key(model),
      maxRetries: 0,
    });

  test("the stream helper gathers text, finish reason and usage", async () => {
    stage.bed.script(answer({ pieces: ["One", " two"] }));
    const runner = (await open()).gather(hello);
    const pieces: string[] = [];
    runner.on("content", (piece) => pieces.push(piece));
    const completion = await runner.finalChatCompletion();
    assert.equal(await runner.finalContent(), "One two");
    assert.deepEqual(pieces, ["One", " two"]);
    assert.equal(completion.choices[0]?.finish_reason, "stop");
    assert.match(completion.id, /^chatcmpl-/);
    const { prompt_tokens, completion_tokens, total_tokens } = await runner.totalUsage();
    assert.deepEqual(
      [prompt_tokens, completion_tokens, total_tokens],
      [USAGE.prompt_tokens, USAGE.completion_tokens, USAGE.total_tokens],
    );
  });

  test("the stream helper gathers parallel tool calls", async () => {
    const second = { ...WEATHER_CALL, id: "call_2", arguments: '{"city":"Oslo"}' };
    stage.bed.script(answer({ calls: [WEATHER_CALL, second] }));
    const runner = (await open()).gather(hello);
    const { tool_calls } = await runner.finalMessage();
    assert.deepEqual(
      tool_calls?.map(({ id, type, function: called }) => [id, type, called?.arguments]),
      [
        ["call_1", "function", '{"city":"Bern"}'],
        ["call_2", "function", '{"city":"Oslo"}'],
      ],
    );
  });

  test("the stream helper rejects when the upstream dies in the middle", async () => {
    stage.bed.script(dieAfter(frame("One")));
    const runner = (await open()).gather(hello);
    await assert.rejects(runner.finalContent(), /the engine behind this model /);
  });

  test("aborting the stream helper closes the upstream's request", { timeout: 5000 }, async () => {
    stage.bed.script(stall(frame("One")));
    const arrived = stage.bed.nextRequest();
    const runner = (await open()).gather(hello);
    const ended = assert.rejects(runner.finalContent());
    await new Promise((resolve) => runner.on("content", resolve));
    const abortedAt = performance.now();
    runner.abort();
    await ended;
    assert.ok((await stage.bed.givenUpAt(await arrived)) - abortedAt < 100);
  });

  test("leaving the loop over a stream closes the upstream's request", {
    timeout: 5000,
  }, async () => {
    stage.bed.script(stall(frame("One")));
    const arrived = stage.bed.nextRequest();
    const { data } = await (await open()).createStream(hello, {});
    let leftAt = 0;
    for await (const chunk of data) {
      assert.equal(chunk.choices[0]?.delta.content, "One");
      leftAt = performance.now();
      break;
    }
    assert.ok((await stage.bed.givenUpAt(await arrived)) - leftAt < 100);
  });

  test("the library's time-out closes the upstream's request", { timeout: 5000 }, async () => {
    stage.bed.script(hang);
    const arrived = stage.bed.nextRequest();
    const asking = (await open()).create(hello, { timeout: 60 });
    await assert.rejects(asking, major.errors.APIConnectionTimeoutError);
    await stage.bed.givenUpAt(await arrived);
  });

  const loops = [
    ["runTools", (client: MajorClient) => client.runTools],
    ["streamed runTools", (client: MajorClient) => client.runToolsStreamed],
  ] as const;
  for (const [name, loopOf] of loops) {
    test(`${name} calls the function and returns with its result`, async () => {
      const before = stage.bed.requestCount();
      stage.bed.script(answer({ calls: [WEATHER_CALL] }), answer({ pieces: ["It", " rains."] }));
      const cities: string[] = [];
      const runner = loopOf(await open())(hello, async ({ city }) => {
        cities.push(city);
        return "rain";
      });
      assert.equal(await runner.finalContent(), "It rains.");
      assert.deepEqual(cities, ["Bern"]);
      assert.equal(stage.bed.requestCount(), before + 2);
      assert.deepEqual(messagesSent().at(-1), {
        role: "tool",
        tool_call_id: "call_1",
        content: "rain",
      });
      const usage = await runner.totalUsage();
      assert.equal(usage.total_tokens, 2 * USAGE.total_tokens);
    });
  }

  const messagesSent = (): readonly unknown[] =>
    asArray(stage.bed.lastRequest().body.messages) ?? [];

  test("parse reads a reply of the wanted shape", async () => {
    const schema = { type: "object", properties: { city: { const: "Bern" } }, required: ["city"] };
    const format = major.formatOf(
      { type: "json_schema", json_schema: { name: "place", schema, strict: true } },
      (content) => ({ read: JSON.parse(content) }),
    );
    const { choices } = await (await open()).parse(hello, format);
    assert.deepEqual(choices[0]?.message.parsed, { read: { city: "Bern" } });
  });

  test("parse reads a reply in the shape of a Zod schema", async (t) => {
    const format = major.formatOfZod(forecast, "forecast");
    if (format.json_schema.schema?.type !== "object") {
      t.skip(`${major.name} makes no JSON Schema out of the installed major of Zod`);
      return;
    }
    const { choices } = await (await open()).parse(hello, format);
    assert.deepEqual(choices[0]?.message.parsed, { city: "text", days: 1 });
    const sent = stage.bed.lastRequest().body.response_format;
    assert.deepEqual(sent, { type: "json_schema", json_schema: format.json_schema });
  });

  test("signed reasoning goes through the stream helper and back", async () => {
    const signature = "sig==";
    const thinking = ["First", " this,", " then that."];
    stage.bed.script(answer({ thinking, pieces: ["42"], signature }));
    const client = await open(THINKING);
    const body: WireBody = toBody({
      model: THINKING,
      messages: "Why?",
      thinking: { budgetTokens: 2048, show: true },
    });
    const said = await client.gather(body).finalMessage();
    const next: WireMessage = { role: "user", content: "Go on" };
    const { tool_calls: _none, ...spoken } = said;
    const history = { ...spoken, role: "assistant" as const };
    await client.create({ ...body, messages: [...body.messages, history, next] }, {});
    const text = "First this, then that.";
    const replayed: JsonRecord | undefined = asRecord(messagesSent().at(-2));
    assert.equal(replayed?.reasoning, text);
    assert.deepEqual(replayed?.reasoning_details, [{ type: "reasoning.text", text, signature }]);
  });

  test("a route that is not offered is a not-found error that says so", async () => {
    const client = await open();
    await assert.rejects(client.listModels(), (error) => {
      assert.ok(error instanceof major.errors.NotFoundError);
      assert.match(error.message, /\/v1\/models/);
      return true;
    });
  });
}
