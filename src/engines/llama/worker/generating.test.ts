import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Call } from "../../../call/index.ts";
import { callOf, scriptedSettings, WorkerProcess } from "./worker-process-fixture.ts";

const story = "Once upon a time there was a house, and in the house there was a hearth.";

const grammarCall = (user: string, gbnf: string): Call =>
  callOf(user, { format: { type: "json_schema", name: "test", schema: { gbnf } } });

describe("a worker that generates", () => {
  let worker: WorkerProcess;

  before(async () => {
    const settings = await scriptedSettings({
      "@story": { says: story },
      "@euro": { says: ["5 ", "<0xE2>", "<0x82>", "<0xAC>", " or ", "<0xF0>", "<0x9F>"] },
      "@turn": { says: ["my turn", "<|end|>", "and more"] },
      "@loop": { says: ["tick ", "tock "], after: "repeat" },
      "<think>": { says: ["so ", "let me see", "</thi", "nk> "], after: "repeat" },
      "</think>": { says: ["the answer"] },
    });
    worker = new WorkerProcess(settings);
    const loaded = await worker.load();
    assert.equal(loaded.type, "loaded");
  });

  after(() => worker.stop());

  test("says what the model says, counts every token and finishes once", async () => {
    const { text, finish, usage, reports } = await worker.run(callOf("@story"));
    assert.equal(text, story);
    assert.equal(finish, "stop");
    assert.equal(reports.flat().filter(({ type }) => type === "finish").length, 1);
    // Beginning, system, user and the trigger.
    assert.equal(usage?.promptTokens, 4);
    assert.equal(usage?.estimated, false);
    assert.equal(usage?.reasoningTokens, 0);
  });

  test("reports no half characters, and none that never became whole", async () => {
    const { text, reports } = await worker.run(callOf("@euro"));
    assert.equal(text, "5 \u20AC or ");
    assert.ok(reports.flat().some((event) => event.type === "text" && event.text === "\u20AC"));
  });

  test("treats control tokens in a user's text as letters", async () => {
    const { usage, text } = await worker.run(callOf("<|end|>@story"));
    assert.equal(text, story);
    assert.ok(usage !== undefined && usage.promptTokens > 5);
  });

  test("ends at a control token that the template names, and does not show it", async () => {
    const { text, finish } = await worker.run(callOf("@turn"));
    assert.equal(text, "my turn");
    assert.equal(finish, "stop");
  });

  test("stops when the reader has met a stop string", async () => {
    const sampling = { temperature: 0, topP: 1, stop: ["there was"] };
    const { text, finish, usage } = await worker.run(callOf("@story", { sampling }));
    assert.equal(text, "Once upon a time ");
    assert.equal(finish, "stop");
    assert.ok(usage !== undefined && usage.completionTokens < 30);
  });

  test("generates as many tokens as the caller allows and says that it was cut", async () => {
    const { text, finish, usage } = await worker.run(callOf("@loop", { maxOutputTokens: 5 }));
    assert.equal(text, "tick tock tick tock tick ");
    assert.equal(finish, "length");
    assert.equal(usage?.completionTokens, 5);
  });

  test("thinks until the ending, which may be split over tokens and is nobody's output", async () => {
    const call = callOf("@story", { thinking: { budgetTokens: 100 } });
    const { thinking, text, finish, usage } = await worker.run(call);
    assert.equal(thinking, "so let me see");
    assert.equal(text, "the answer");
    assert.equal(finish, "stop");
    assert.equal(usage?.reasoningTokens, 4);
    assert.equal(usage?.completionTokens, 6);
  });

  test("thinks no longer than its budget, and answers then", async () => {
    const call = callOf("@story", { thinking: { budgetTokens: 1 } });
    const { thinking, text, usage } = await worker.run(call);
    assert.equal(thinking, "so ");
    assert.equal(text, "the answer");
    assert.equal(usage?.reasoningTokens, 1);
  });

  test("writes only what the grammar allows", async () => {
    const { text, finish } = await worker.run(grammarCall("@story", 'root ::= "[" [0-9] "]"'));
    assert.match(text, /^\[[0-9]\]$/);
    assert.equal(finish, "stop");
  });

  test("refuses text that is no grammar, and goes on", async () => {
    const { failed } = await worker.run(grammarCall("@story", "root ::= ((("));
    assert.equal(failed?.status, 400);
    const { text } = await worker.run(callOf("@story"));
    assert.equal(text, story);
  });

  test("fails the one call whose grammar leads nowhere", async () => {
    const other = worker.start(callOf("@loop"));
    const { failed } = await worker.run(grammarCall("@story", 'root ::= "a" [\\U7FFFFFFF]'));
    assert.equal(failed?.status, 500);
    const { text } = await other.outcome;
    assert.equal(text, "tick tock ".repeat(200));
    const { text: later } = await worker.run(callOf("@story"));
    assert.equal(later, story);
  });

  test("refuses a prompt that does not fit, with both numbers", async () => {
    const { failed } = await worker.run(callOf(`${"x".repeat(2000)}@story`));
    assert.equal(failed?.status, 400);
    assert.equal(failed?.errorType, "invalid_request_error");
    assert.match(failed?.message ?? "", /1024 .* 2004/);
  });

  test("refuses what cannot fit without cutting it into tokens", async () => {
    const { failed } = await worker.run(callOf("x".repeat(2_000_000)));
    assert.equal(failed?.status, 400);
    assert.match(failed?.message ?? "", /1024 .* at least \d+/);
  });

  test("lowers the caller's cap to what the context has room for", async () => {
    const call = callOf(`${"x".repeat(1000)}@loop`, { maxOutputTokens: 400 });
    const { finish, usage } = await worker.run(call);
    assert.equal(finish, "length");
    assert.equal(usage?.promptTokens, 1004);
    assert.equal(usage?.completionTokens, 20);
  });
});
