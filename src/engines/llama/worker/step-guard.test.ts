import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StepGuard } from "./step-guard.ts";

const never = <T>(): Promise<T> => new Promise(() => undefined);

function createGuard() {
  const due: (() => void)[] = [];
  const clock = {
    now: () => 0,
    after: (_milliseconds: number, callback: () => void) => {
      due.push(callback);
      return () => undefined;
    },
  };
  const passTime = (): void => {
    for (const callback of due) callback();
  };
  return { guard: new StepGuard(clock), passTime };
}

describe("the guard of steps", () => {
  test("hands on what a step comes to", async () => {
    const { guard } = createGuard();
    assert.equal(await guard.watch(Promise.resolve(7)), 7);
    await assert.rejects(guard.watch(Promise.reject(new Error("no"))), /no/);
    assert.equal(guard.step, undefined);
  });

  test("fails the steps that never come back, and no others", async () => {
    const { guard, passTime } = createGuard();
    const lost = guard.watch(never());
    const kept = Promise.withResolvers<string>();
    const watched = guard.watch(kept.promise);
    assert.equal(guard.lose(new Error("sampling failed")), true);
    kept.resolve("a token");
    assert.equal(await watched, "a token");
    passTime();
    await assert.rejects(lost, (error) => guard.isLoss(error));
  });

  test("takes an error for its own only while a step is out", () => {
    const { guard } = createGuard();
    assert.equal(guard.lose(new Error("something else")), false);
  });

  test("numbers the steps, so that one that hangs is told from many that pass", async () => {
    const { guard } = createGuard();
    await Promise.all([guard.watch(Promise.resolve()), guard.watch(Promise.resolve())]);
    void guard.watch(never());
    assert.equal(guard.step, 2);
    void guard.watch(never());
    assert.equal(guard.step, 2);
  });
});
