import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { OPENING } from "./database-calls.ts";
import { startDatabaseClient } from "./database-client.ts";
import { StoreConflict } from "./store.ts";
import { StoreUnavailable } from "./store-errors.ts";
import { manualSchedule, resourceRecord, temporaryDirectory } from "./store-fixtures.ts";

const THREAD = new URL("./database-thread.ts", import.meta.url);

const runThread = (directory: string) => new Worker(THREAD, { workerData: directory });

/** Opens and never answers, so that a call is certain to be waiting when it dies. */
const runSilentThread = () =>
  new Worker(
    `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", () => {});
    parentPort.postMessage({ id: ${OPENING}, result: undefined });`,
    { eval: true },
  );

/** A client whose threads the test can end. */
async function clientOf(t: TestContext, spawn = runThread) {
  const clock = manualSchedule();
  const problems: Error[] = [];
  const threads: Worker[] = [];
  const client = await startDatabaseClient({
    directory: temporaryDirectory(t),
    schedule: clock.schedule,
    onProblem: (problem) => problems.push(problem),
    spawn(directory) {
      const thread = spawn(directory);
      threads.push(thread);
      return thread;
    },
  });
  t.after(() => client.close());
  const kill = async () => {
    await threads.at(-1)?.terminate();
  };
  return { client, clock, problems, threads, kill };
}

describe("the database client", () => {
  it("restores the class of an error that crossed the thread", async (t) => {
    const { client } = await clientOf(t);
    await client.call("createResource", resourceRecord("a"));
    await assert.rejects(client.call("createResource", resourceRecord("a")), StoreConflict);
  });

  it("fails what was waiting when the thread dies, and what comes until the next one", async (t) => {
    const { client, problems, kill } = await clientOf(t, runSilentThread);
    const waiting = client.call("resources");
    const rejected = assert.rejects(waiting, StoreUnavailable);
    await kill();
    await rejected;
    await assert.rejects(client.call("resources"), /will be started again/);
    assert.equal(problems.length, 1);
  });

  it("starts another thread, which has everything that was acknowledged", async (t) => {
    const { client, clock, kill } = await clientOf(t);
    await client.call("setFact", "first-start", "done");
    await kill();
    clock.runNext();
    assert.equal(await client.call("fact", "first-start"), "done");
  });

  it("waits longer after each death, up to a limit, and briefly again after a success", async (t) => {
    const { client, clock, kill } = await clientOf(t);
    const delays: number[] = [];
    for (let death = 0; death < 9; death += 1) {
      await kill();
      delays.push(...clock.delays());
      clock.runNext();
    }
    assert.deepEqual(delays.slice(0, 2), [100, 200]);
    assert.equal(delays.at(-1), 10_000);
    await client.call("resources");
    await kill();
    assert.deepEqual(clock.delays(), [100]);
  });

  it("ends the thread when it is closed, and starts no other", async (t) => {
    const { client, clock, threads } = await clientOf(t);
    const [thread] = threads;
    assert.ok(thread);
    const ended = once(thread, "exit");
    await client.close();
    assert.deepEqual(await ended, [0]);
    assert.deepEqual(clock.delays(), []);
    await assert.rejects(client.call("resources"), /closed/);
  });

  it("can be closed while no thread runs", async (t) => {
    const { client, clock, kill } = await clientOf(t);
    await kill();
    await client.close();
    assert.deepEqual(clock.delays(), []);
  });

  it("tries again when not even a thread can be had", async (t) => {
    let refuse = false;
    const { client, clock, problems, kill } = await clientOf(t, (directory) => {
      if (refuse) throw new Error("no memory for a thread");
      return runThread(directory);
    });
    await kill();
    refuse = true;
    clock.runNext();
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(problems.at(-1)?.message ?? "", /no memory/);
    refuse = false;
    clock.runNext();
    assert.deepEqual(await client.call("resources"), []);
  });

  it("rejects the start when the thread cannot run at all", async (t) => {
    const spawn = () => new Worker("throw new Error('no thread today')", { eval: true });
    await assert.rejects(clientOf(t, spawn), /the database thread failed/);
  });
});
