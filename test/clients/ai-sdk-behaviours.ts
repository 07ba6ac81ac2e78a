// What the AI SDK builds on top of the wire: loops that run tools, objects in the shape of a
// Zod schema, and streams that tell their end in parts instead of throwing.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  APICallError,
  generateObject,
  generateText,
  type LanguageModel,
  Output,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from "ai";
import { z } from "zod";
import { dieAfter, stall } from "../support/mock-upstream-behaviours.ts";
import { createProvider } from "./ai-sdk-adapter.ts";
import type { Stage } from "./stage.ts";
import { SMALL, THINKING } from "./test-bed.ts";
import { answer, frame, USAGE } from "./upstream-answers.ts";

const forecast = z.object({ city: z.string(), days: z.number() });
const FORECAST = { city: "text", days: 1 };
const steps = [
  answer({ calls: [{ id: "call_1", name: "weather", arguments: '{"city":"Bern"}' }] }),
  answer({ pieces: ["It", " rains."] }),
];

export function aiSdkBehaviours(stage: Stage): void {
  const open = async (id = SMALL): Promise<LanguageModel> =>
    createProvider({ baseUrl: stage.bed.baseUrl, key: await stage.bed.key(id), retries: 0 })(id);

  const weatherTool = (cities: string[]) =>
    tool({
      description: "Weather of a city",
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        cities.push(city);
        return { sky: "rain" };
      },
    });

  const assertLoop = (cities: readonly string[], total: number | undefined): void => {
    assert.deepEqual(cities, ["Bern"]);
    assert.equal(total, 2 * USAGE.total_tokens);
    const { messages } = stage.bed.lastRequest().body;
    assert.ok(Array.isArray(messages));
    assert.deepEqual(messages.at(-1), {
      role: "tool",
      tool_call_id: "call_1",
      content: '{"sky":"rain"}',
    });
  };

  test("generateText runs a tool and answers with its result", async () => {
    stage.bed.script(...steps);
    const cities: string[] = [];
    const result = await generateText({
      model: await open(),
      prompt: "Weather?",
      tools: { weather: weatherTool(cities) },
      stopWhen: stepCountIs(3),
    });
    assert.equal(result.text, "It rains.");
    assert.equal(result.steps.length, 2);
    assertLoop(cities, result.totalUsage.totalTokens);
  });

  test("streamText runs a tool and answers with its result", async () => {
    stage.bed.script(...steps);
    const cities: string[] = [];
    const result = streamText({
      model: await open(),
      prompt: "Weather?",
      tools: { weather: weatherTool(cities) },
      stopWhen: stepCountIs(3),
    });
    let text = "";
    for await (const piece of result.textStream) text += piece;
    assert.equal(text, "It rains.");
    assert.equal(await result.finishReason, "stop");
    assertLoop(cities, (await result.totalUsage).totalTokens);
  });

  test("generateText answers in the shape of a Zod schema", async () => {
    const result = await generateText({
      model: await open(),
      prompt: "Forecast",
      output: Output.object({ schema: forecast, name: "forecast" }),
    });
    assert.deepEqual(result.output, FORECAST);
  });

  test("generateObject answers in the shape of a Zod schema", async () => {
    const result = await generateObject({
      model: await open(),
      prompt: "Forecast",
      schema: forecast,
    });
    assert.deepEqual(result.object, FORECAST);
    assert.equal(result.finishReason, "stop");
  });

  test("streamObject ends with an object in the shape of a Zod schema", async () => {
    const result = streamObject({ model: await open(), prompt: "Forecast", schema: forecast });
    let last: unknown;
    for await (const part of result.partialObjectStream) last = part;
    assert.deepEqual(last, FORECAST);
    assert.deepEqual(await result.object, FORECAST);
  });

  test("a stream whose upstream dies finishes with an error, not with stop", async () => {
    stage.bed.script(dieAfter(frame("One")));
    const errors: unknown[] = [];
    const result = streamText({
      model: await open(),
      prompt: "Count",
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    await result.consumeStream();
    assert.equal(await result.finishReason, "error");
    assert.equal(errors.length, 1);
  });

  test("an aborted stream tells so, and closes the upstream's request", {
    timeout: 5000,
  }, async () => {
    stage.bed.script(stall(frame("One")));
    const arrived = stage.bed.nextRequest();
    const controller = new AbortController();
    let abortedAt = 0;
    let aborts = 0;
    const result = streamText({
      model: await open(),
      prompt: "Count",
      abortSignal: controller.signal,
      onAbort: () => {
        aborts += 1;
      },
    });
    for await (const part of result.fullStream) {
      if (part.type !== "text-delta") continue;
      abortedAt = performance.now();
      controller.abort();
    }
    assert.equal(aborts, 1);
    assert.ok((await stage.bed.givenUpAt(await arrived)) - abortedAt < 100);
  });

  test("an error says that it is no use to retry, or that it is", async () => {
    const model = await open();
    const isRetryable = async (temperature: number): Promise<boolean | undefined> => {
      const asking = generateText({ model, prompt: "Hello", temperature, maxRetries: 0 });
      const [asked] = await Promise.allSettled([asking]);
      const reason: unknown = asked.status === "rejected" ? asked.reason : undefined;
      return APICallError.isInstance(reason) ? reason.isRetryable : undefined;
    };
    assert.equal(await isRetryable(2), false);
    stage.bed.script(dieAfter(": hello\n\n"));
    assert.equal(await isRetryable(1), true);
  });

  test("reasoning, an object here, makes this provider fail, not answer wrongly", async () => {
    stage.bed.script(answer({ thinking: ["Hm."], pieces: ["42"] }));
    const extended_thinking = { enabled: true, budget_tokens: 1024, include_reasoning: true };
    const asking = generateText({
      model: await open(THINKING),
      prompt: "Why?",
      providerOptions: { hearth: { extended_thinking } },
    });
    await assert.rejects(asking, (error) => {
      assert.ok(APICallError.isInstance(error));
      assert.equal(error.statusCode, 200);
      assert.match(String(error.cause), /reasoning/);
      return true;
    });
  });
}
