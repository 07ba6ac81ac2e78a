import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RecordingSink } from "../../../test/support/mock-upstream-caller.ts";
import { CALL, createTestPool } from "../../../test/support/mock-upstream-pool.ts";
import {
  answers,
  diesMidStream,
  fails,
  isBusy,
  MockTarget,
  refusesCaller,
  refusesKey,
  timesOut,
} from "../../../test/support/mock-upstream-target.ts";
import { ServiceError } from "../../call/index.ts";

const quiet = { breaker_failures: 1000 };

describe("a try that failed", () => {
  test("is repeated after pauses that double, with jitter, up to the bound of tries", async () => {
    const target = new MockTarget("a");
    target.always = fails;
    const { runThroughPauses, dice, retries } = createTestPool([target], { ...quiet, attempts: 4 });
    assert.deepEqual((await runThroughPauses()).pauses, [75, 150, 300]);
    dice.value = 0;
    assert.deepEqual((await runThroughPauses()).pauses, [50, 100, 200]);
    assert.equal(target.tries, 8);
    assert.equal(retries.length, 6);
  });

  test("goes at once to a target that was not tried, and only then waits", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.always = fails;
    b.always = fails;
    const { runThroughPauses, retries } = createTestPool([a, b], quiet);
    const { pauses, error } = await runThroughPauses();
    assert.deepEqual(pauses, [75]);
    assert.ok(error instanceof ServiceError);
    assert.equal(a.tries + b.tries, 3);
    assert.equal(retries[0]?.startsWith("failover"), true);
    assert.equal(retries[1]?.startsWith("retry"), true);
  });

  test("is not repeated once an event has reached the caller", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.always = diesMidStream;
    b.always = diesMidStream;
    const { refused } = createTestPool([a, b]);
    assert.equal((await refused()).message, "died");
    assert.equal(a.tries + b.tries, 1);
  });

  test("is not repeated, nor held against the target, when the request was at fault", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.always = refusesCaller;
    b.always = refusesCaller;
    const { pool, refused } = createTestPool([a, b], { breaker_failures: 1 });
    assert.equal((await refused()).status, 400);
    assert.equal(a.tries + b.tries, 1);
    assert.deepEqual(
      pool.status().map(({ state }) => state),
      ["healthy", "healthy"],
    );
  });

  test("is not repeated after a time-out of minutes", async () => {
    const target = new MockTarget("a");
    target.always = timesOut;
    const { refused } = createTestPool([target]);
    assert.equal((await refused()).status, 504);
    assert.equal(target.tries, 1);
  });

  test("because of a wrong key moves on, but does not knock twice", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.always = refusesKey;
    const alone = createTestPool([a], quiet);
    assert.equal((await alone.refused()).message, "wrong key");
    assert.equal(a.tries, 1);
    const both = createTestPool([a, b], quiet);
    both.dice.value = 0;
    await both.run();
    assert.deepEqual(both.retries, ["failover b"]);

    b.script.push(fails, answers);
    await both.runThroughPauses();
    assert.deepEqual([a.tries, b.tries], [3, 3], "after the pause only b is asked again");
  });

  test("leaves its pause at once when the caller goes away", async () => {
    const target = new MockTarget("a");
    target.always = fails;
    const { run, clock } = createTestPool([target]);
    const controller = new AbortController();
    const reason = new Error("gone");
    const running = run(CALL, new RecordingSink(), controller.signal);
    await clock.alarmSet();
    controller.abort(reason);
    await assert.rejects(running, (error) => error === reason);
    assert.deepEqual(clock.pending, []);
    assert.equal(target.tries, 1);
  });
});

describe("Retry-After", () => {
  test("is waited out when it fits into what is left", async () => {
    const target = new MockTarget("a");
    target.script.push(isBusy(2));
    const { runThroughPauses } = createTestPool([target]);
    const { pauses, error } = await runThroughPauses();
    assert.deepEqual(pauses, [2050]);
    assert.equal(error, undefined);
  });

  test("is handed to the caller when it does not fit", async () => {
    const target = new MockTarget("a");
    target.always = isBusy(30);
    const { refused } = createTestPool([target]);
    const error = await refused();
    assert.deepEqual([error.status, error.retryAfterSeconds], [503, 30]);
    assert.equal(target.tries, 1);
  });

  test("is bounded in total over several tries", async () => {
    const target = new MockTarget("a");
    target.always = isBusy(3);
    const { runThroughPauses } = createTestPool([target], { attempts: 10 });
    assert.deepEqual((await runThroughPauses()).pauses, [3050]);
    assert.equal(target.tries, 2);
  });

  test("sends this call and the next ones to another target meanwhile", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.always = isBusy(30);
    const { run, dice, clock } = createTestPool([a, b]);
    dice.value = 0;
    await run();
    await run();
    await run();
    assert.deepEqual([a.tries, b.tries], [1, 3]);
    clock.advance(30_000);
    await run();
    assert.equal(a.tries, 2);
  });

  test("of every target still lets the next caller ask", async () => {
    const [a, b] = [new MockTarget("a"), new MockTarget("b")];
    a.script.push(isBusy(30));
    b.script.push(isBusy(30));
    const { run, refused } = createTestPool([a, b]);
    assert.equal((await refused()).retryAfterSeconds, 30);
    await run();
  });

  test("does not count against the target's health", async () => {
    const target = new MockTarget("a");
    target.always = isBusy(30);
    const { pool, refused } = createTestPool([target], { breaker_failures: 1 });
    await refused();
    assert.equal(pool.status()[0]?.state, "healthy");
  });
});
