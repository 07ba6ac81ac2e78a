import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import type { Call } from "../../../call/index.ts";
import type { WorkerReport } from "../protocol.ts";
import { callOf, scriptedSettings, WorkerProcess } from "./worker-process-fixture.ts";

const script = {
  "@story": { says: "Once upon a time there was a house, and in the house there was a hearth." },
  "@list": { says: "apples and pears, plums and cherries, nothing else but a bit of bread" },
  "@loop": { says: ["tick ", "tock "], after: "repeat" },
  "@never": { says: ["z"], after: "repeat" },
  "<think>": { says: ["hm ", "well ", "</think>"] },
  "</think>": { says: ["done thinking"] },
} as const;

/** Goes on for as long as a test needs it. */
const endless = (): Call => callOf("@never", { maxOutputTokens: 1000 });

const eventsOf = (id: number) => (report: WorkerReport) =>
  report.type === "events" && report.id === id;

/** Calls of all kinds at once, some of them cancelled: the rest must say what they say alone. */
async function answerAsAlone(worker: WorkerProcess, count: number): Promise<void> {
  const kinds: Call[] = [
    callOf("@story"),
    callOf(`${"x".repeat(300)}@list`),
    callOf("@loop", { maxOutputTokens: 41 }),
    callOf("@list", { thinking: { budgetTokens: 50 } }),
    callOf("@story", { system: [{ type: "text", text: "y".repeat(90) }], caller: "other" }),
  ];
  const alone: string[] = [];
  for (const call of kinds) alone.push((await worker.run(call)).text);
  for (let round = 0; round < 8; round += 1) {
    const calls = Array.from({ length: count }, (_, index) => {
      const kind = (index * 7 + round) % kinds.length;
      const cancelled = (index + round) % 4 === 0;
      const call = cancelled ? endless() : (kinds[kind] ?? callOf("@story"));
      return { kind, cancelled, ...worker.start(call) };
    });
    for (const { id, cancelled } of calls) {
      if (cancelled) worker.begun(id).then(() => worker.send({ type: "cancel", id }));
    }
    for (const { kind, cancelled, outcome } of calls) {
      const { text, failed } = await outcome;
      assert.equal(failed, undefined);
      if (cancelled) assert.match(text, /^z+$/);
      else assert.equal(text, alone[kind]);
    }
  }
  const { running, waiting } = await worker.stats();
  assert.deepEqual({ running, waiting }, { running: 0, waiting: 0 });
}

describe("a worker with many calls", () => {
  let worker: WorkerProcess;

  before(async () => {
    worker = new WorkerProcess(await scriptedSettings(script, { sequences: 5, maxQueue: 8 }));
    await worker.load();
  });

  after(() => worker.stop());

  test("answers each as it would alone, while others come, wait and are cancelled", () =>
    answerAsAlone(worker, 13));

  test("cancels within a step, and tells what was used", async () => {
    const call = worker.start(endless());
    const witness = worker.start(endless());
    await worker.begun(witness.id);
    const sent = worker.log.length;
    worker.send({ type: "cancel", id: call.id });
    const { usage, finish, reports } = await call.outcome;
    const since = worker.log.slice(sent);
    const over = since.findIndex((report) => report.type === "done" && report.id === call.id);
    // The witness took its steps until the cancel arrived; after the last one of the call at most one.
    const last = since
      .slice(0, over)
      .findLastIndex(
        (report) =>
          report.type === "events" &&
          report.id === call.id &&
          report.events.some(({ type }) => type === "text"),
      );
    const steps = since.slice(last + 1, over).filter(eventsOf(witness.id));
    assert.ok(steps.length <= 1, `${steps.length} steps`);
    assert.equal(finish, undefined);
    const written = reports.flat().filter(({ type }) => type === "text").length;
    assert.equal(usage?.completionTokens, written);
    worker.send({ type: "cancel", id: witness.id });
    await witness.outcome;
  });

  test("goes on writing while a long prompt is read", async () => {
    const stream = worker.start(endless());
    await worker.begun(stream.id);
    const from = worker.log.length;
    const long = worker.start(callOf(`${"x".repeat(900)}@story`));
    await worker.begun(long.id);
    const between = worker.log.slice(from).filter(eventsOf(stream.id)).length;
    // 900 tokens in chunks of 64: a step of the other between any two of them.
    assert.ok(between >= 900 / 64, `${between} steps`);
    worker.send({ type: "cancel", id: stream.id });
    await Promise.all([stream.outcome, long.outcome]);
  });

  test("cancels a call whose prompt is being read", async () => {
    const long = worker.start(callOf(`${"x".repeat(900)}@story`));
    worker.send({ type: "cancel", id: long.id });
    const { text, usage } = await long.outcome;
    assert.equal(text, "");
    assert.ok(usage === undefined || usage.completionTokens === 0);
  });

  test("steps nothing for a paused call, and everything for the others", async () => {
    const slow = worker.start(callOf("@loop", { maxOutputTokens: 60 }));
    await worker.begun(slow.id);
    worker.send({ type: "pause", id: slow.id });
    await worker.stats();
    await worker.run(callOf("@list"));
    const before = worker.log.filter(eventsOf(slow.id)).length;
    const { text } = await worker.run(callOf("@story"));
    assert.equal(text, script["@story"].says);
    assert.equal(worker.log.filter(eventsOf(slow.id)).length, before);
    assert.ok(before < 60);
    worker.send({ type: "resume", id: slow.id });
    const { text: resumed } = await slow.outcome;
    assert.equal(resumed, "tick tock ".repeat(30));
  });

  test("refuses what the queue has no room for, and says when to come back", async () => {
    const calls = Array.from({ length: 13 }, () => worker.start(endless()));
    const { failed } = await worker.run(callOf("@story"));
    assert.equal(failed?.status, 503);
    assert.equal(failed?.errorType, "overloaded_error");
    assert.ok((failed?.retryAfterSeconds ?? 0) >= 1);
    // They take their places between two steps, so the last may still be on its way to one.
    let stats = await worker.stats();
    while (stats.running < 5) stats = await worker.stats();
    assert.deepEqual([stats.running, stats.waiting], [5, 8]);
    for (const { id } of calls) worker.send({ type: "cancel", id });
    await Promise.all(calls.map(({ outcome }) => outcome));
  });

  test("lets callers take turns in the queue", async () => {
    const running = Array.from({ length: 5 }, () => worker.start(endless()));
    const greedy = Array.from({ length: 6 }, () => worker.start(callOf("@story")));
    const modest = worker.start(callOf("@story", { caller: "modest" }));
    await worker.stats();
    const [first] = running;
    if (first !== undefined) worker.send({ type: "cancel", id: first.id });
    await modest.outcome;
    const finished = greedy.filter(({ id }) =>
      worker.log.some((report) => report.type === "done" && report.id === id),
    );
    assert.ok(finished.length <= 1, `${finished.length} went before`);
    for (const { id } of running) worker.send({ type: "cancel", id });
    await Promise.all(greedy.map(({ outcome }) => outcome));
  });
});

describe("a worker's process", () => {
  test("answers sixteen calls at once as it would each alone", async () => {
    const worker = new WorkerProcess(await scriptedSettings(script, { sequences: 16 }));
    await worker.load();
    await answerAsAlone(worker, 16);
    assert.equal(await worker.stop(), 0);
  });

  test("goes when its parent's end of the channel closes", async () => {
    const worker = new WorkerProcess(await scriptedSettings(script));
    await worker.load();
    const { id } = worker.start(endless());
    await worker.begun(id);
    const exit = once(worker.child, "exit");
    worker.child.disconnect();
    const [code] = await exit;
    assert.equal(code, 0);
  });

  test("stops in the middle of calls with status 0", async () => {
    const worker = new WorkerProcess(await scriptedSettings(script));
    await worker.load();
    const { id } = worker.start(endless());
    await worker.begun(id);
    assert.equal(await worker.stop(), 0);
  });

  test("says why a model cannot be loaded", async () => {
    const settings = await scriptedSettings(script);
    const worker = new WorkerProcess({ ...settings, path: "/nowhere/model.gguf" });
    const report = await worker.load();
    assert.equal(report.type, "load-failed");
    assert.equal(await worker.stop(), 0);
  });
});
