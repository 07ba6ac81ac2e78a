import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
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

test("whatever happens to calls and targets, no slot is lost and nobody waits for ever", async () => {
  const outcome = fc.constantFrom(answers, fails, isBusy(1), isBusy(60), refusesCaller, refusesKey);
  const tries = fc.array(fc.oneof(outcome, fc.constant(diesMidStream), fc.constant(timesOut)));
  const aborts = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(tries, tries, aborts, async (ofA, ofB, leaves) => {
      const [a, b] = [new MockTarget("a", { connections: 1 }), new MockTarget("b")];
      a.script.push(...ofA);
      b.script.push(...ofB);
      const config = { max_queue: 3, breaker_failures: 2 };
      const { pool, run, clock } = createTestPool([a, b], config);
      const calls = leaves.map((leave) => {
        const controller = new AbortController();
        const running = run(CALL, new RecordingSink(), controller.signal);
        if (leave) queueMicrotask(() => controller.abort(new Error("gone")));
        return running.catch(() => {});
      });
      for (let turn = 0; turn < 12; turn++) {
        await new Promise(setImmediate);
        clock.advance(2000);
      }
      await Promise.all(calls);
      assert.deepEqual(
        pool.status().map(({ inFlight }) => inFlight),
        [0, 0],
      );
      await pool.close();
      assert.deepEqual(clock.pending, []);
    }),
    { numRuns: 60 },
  );
});

test("two engines with the same address and model keep their own names", () => {
  const { pool } = createTestPool([new MockTarget("a"), new MockTarget("a")]);
  assert.deepEqual(
    pool.status().map(({ name }) => name),
    ["a", "a#2"],
  );
});
