import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTestCall, RecordingSink } from "../../../test/support/mock-upstream-caller.ts";
import { CALL, createTestPool } from "../../../test/support/mock-upstream-pool.ts";
import {
  answers,
  fails,
  MockTarget,
  type Try,
} from "../../../test/support/mock-upstream-target.ts";

describe("a full target", () => {
  const open = () => {
    const release = Promise.withResolvers<void>();
    const slow: Try = async (sink) => {
      await release.promise;
      return answers(sink);
    };
    return { release, slow };
  };

  test("lets calls wait for a connection, up to the bound, and refuses the rest", async () => {
    const target = new MockTarget("a", { connections: 2 });
    const { release, slow } = open();
    target.always = slow;
    const { pool, run, refused } = createTestPool([target], { max_queue: 3 });
    const accepted = Array.from({ length: 5 }, () => run());
    await new Promise(setImmediate);
    assert.equal(target.running, 2);
    assert.equal(pool.status()[0]?.inFlight, 5);
    const error = await refused();
    assert.deepEqual([error.status, error.retryAfterSeconds], [503, 1]);
    release.resolve();
    await Promise.all(accepted);
    assert.equal(target.tries, 5);
    assert.equal(pool.status()[0]?.inFlight, 0);
  });

  test("passes calls on to another one, even those that would rather stay", async () => {
    const [a, b] = [
      new MockTarget("a", { connections: 1 }),
      new MockTarget("b", { connections: 1 }),
    ];
    const { release, slow } = open();
    a.always = slow;
    b.always = slow;
    const { run } = createTestPool([a, b], { max_queue: 0 });
    const call = createTestCall({ system: [{ type: "text", text: "same" }] });
    const both = [run(call), run(call)];
    await new Promise(setImmediate);
    assert.deepEqual([a.running, b.running], [1, 1]);
    release.resolve();
    await Promise.all(both);
  });

  test("forgets a caller who leaves the queue", async () => {
    const target = new MockTarget("a", { connections: 1 });
    const { release, slow } = open();
    target.always = slow;
    const { pool, run } = createTestPool([target]);
    const first = run();
    const controller = new AbortController();
    const reason = new Error("gone");
    const second = run(CALL, new RecordingSink(), controller.signal);
    await new Promise(setImmediate);
    controller.abort(reason);
    await assert.rejects(second, (error) => error === reason);
    assert.equal(pool.status()[0]?.inFlight, 1);
    release.resolve();
    await first;
    assert.equal(target.tries, 1);
  });

  test("that is taken out does not leave its queue waiting", async () => {
    const target = new MockTarget("a", { connections: 2 });
    const death = Promise.withResolvers<void>();
    const { release, slow } = open();
    target.script.push(slow, async (sink) => {
      await death.promise;
      return fails(sink);
    });
    const { pool, run, refused } = createTestPool([target], { breaker_failures: 1, attempts: 1 });
    const stillRunning = run();
    const failing = refused();
    const waiting = [refused(), refused()];
    await new Promise(setImmediate);
    assert.equal(pool.status()[0]?.inFlight, 4);
    death.resolve();
    assert.equal((await failing).status, 502);
    for (const error of await Promise.all(waiting)) assert.equal(error.status, 503);
    release.resolve();
    await stillRunning;
    assert.equal(target.tries, 2);
  });
});

describe("calls with the same system prompt", () => {
  const withPrompt = (text: string) => createTestCall({ system: [{ type: "text", text }] });

  test("meet at the same target, and at another one only while it is out", async () => {
    const targets = ["a", "b", "c"].map((name) => new MockTarget(name));
    const { run } = createTestPool(targets, { breaker_failures: 1 });
    const call = withPrompt("You are a pirate.");
    for (let i = 0; i < 20; i++) await run(call);
    const home = targets.find(({ tries }) => tries === 20);
    assert.ok(home !== undefined, "all went to one");

    home.script.push(fails);
    for (let i = 0; i < 10; i++) await run(call);
    assert.equal(home.tries, 21);
    assert.deepEqual(targets.map(({ tries }) => tries).sort(), [0, 10, 21].sort());
  });

  test("spread when their target has clearly more than its share", async () => {
    const targets = ["a", "b"].map((name) => new MockTarget(name));
    const release = Promise.withResolvers<void>();
    for (const target of targets) {
      target.always = async (sink) => {
        await release.promise;
        return answers(sink);
      };
    }
    const { run } = createTestPool(targets);
    const call = withPrompt("You are a pirate.");
    const calls = Array.from({ length: 100 }, () => run(call));
    await new Promise(setImmediate);
    const least = Math.min(...targets.map(({ running }) => running));
    assert.ok(least > 25, `the other one has ${least} of 100`);
    release.resolve();
    await Promise.all(calls);
  });
});
