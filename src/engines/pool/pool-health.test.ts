import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RecordingSink } from "../../../test/support/mock-upstream-caller.ts";
import { CALL, createTestPool } from "../../../test/support/mock-upstream-pool.ts";
import { answers, fails, MockTarget } from "../../../test/support/mock-upstream-target.ts";

const quiet = { breaker_failures: 1000 };

describe("a dead upstream", () => {
  test("does not get a storm: retries stay a small part of the calls", async () => {
    const target = new MockTarget("a");
    target.always = fails;
    const { run, clock } = createTestPool([target], quiet);
    const calls = Array.from({ length: 200 }, () => run().catch(() => {}));
    for (let i = 0; i < 5; i++) {
      await new Promise(setImmediate);
      clock.advance(500);
    }
    await Promise.all(calls);
    assert.ok(target.tries <= 200 * 1.2 + 15, `${target.tries} tries for 200 calls`);
    assert.ok(target.tries > 200);
  });

  test("is taken out, and callers are told when it will be asked again", async () => {
    const target = new MockTarget("a");
    target.always = fails;
    const { pool, clock, refused, transitions } = createTestPool([target], {
      attempts: 1,
      breaker_failures: 2,
      breaker_cooldown: "8s",
    });
    await refused();
    assert.equal((await refused()).status, 502);
    clock.advance(3500);
    const error = await refused();
    assert.deepEqual(
      [error.status, error.type, error.retryAfterSeconds],
      [503, "overloaded_error", 5],
    );
    assert.equal(target.tries, 2);
    assert.equal(pool.status()[0]?.state, "open");
    assert.deepEqual(transitions, ["a open"]);
  });

  test("comes back by a probe and one call, whose first event is enough", async () => {
    const target = new MockTarget("a");
    target.script.push(fails);
    const { pool, clock, run, refused } = createTestPool([target], {
      attempts: 1,
      breaker_failures: 1,
    });
    await refused();
    clock.advance(2000);
    await new Promise(setImmediate);
    assert.deepEqual([target.probes, pool.status()[0]?.state], [1, "probing"]);

    const release = Promise.withResolvers<void>();
    const said = Promise.withResolvers<void>();
    target.script.push(async (sink) => {
      await said.promise;
      sink.write({ type: "text", text: "…" });
      await release.promise;
      return answers(sink);
    });
    const sink = new RecordingSink();
    const trial = run(CALL, sink);
    await new Promise(setImmediate);
    assert.equal((await refused()).status, 503, "the others wait for its verdict");
    said.resolve();
    await sink.firstEvent();
    assert.equal(pool.status()[0]?.state, "healthy");
    await run();
    release.resolve();
    await trial;
  });

  test("is put on trial by another call when the first one went away", async () => {
    const target = new MockTarget("a");
    target.script.push(fails, () => new Promise(() => {}));
    const { pool, clock, run, refused } = createTestPool([target], {
      attempts: 1,
      breaker_failures: 1,
    });
    await refused();
    clock.advance(2000);
    await new Promise(setImmediate);
    const controller = new AbortController();
    const trial = run(CALL, new RecordingSink(), controller.signal);
    await new Promise(setImmediate);
    controller.abort(new Error("gone"));
    await assert.rejects(trial);
    await run();
    assert.equal(pool.status()[0]?.state, "healthy");
  });

  test("in a pool costs callers nothing", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.always = fails;
    const { run, dice } = createTestPool([a, b]);
    dice.value = 0;
    for (let i = 0; i < 50; i++) await run();
    assert.equal(a.tries, 5, "after five failures it is left alone");
    assert.equal(b.tries, 50);
  });

  test("fails every call that was sent to it over, however many they are", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    const death = Promise.withResolvers<void>();
    a.always = async (sink) => {
      await death.promise;
      return fails(sink);
    };
    b.always = async (sink) => {
      await death.promise;
      return answers(sink);
    };
    const { run } = createTestPool([a, b]);
    const calls = Array.from({ length: 100 }, () => run());
    await new Promise(setImmediate);
    death.resolve();
    await Promise.all(calls);
    assert.equal(a.tries, 50);
  });
});
