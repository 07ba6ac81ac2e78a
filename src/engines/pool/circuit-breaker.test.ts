import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ManualClock } from "../../../test/support/mock-upstream-caller.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";

function createBreaker() {
  const clock = new ManualClock();
  const states: string[] = [];
  const world = { alive: true, probes: 0 };
  const breaker = new CircuitBreaker({
    failures: 3,
    cooldownMs: 1000,
    cooldownLimitMs: 5000,
    clock,
    probe: async () => {
      world.probes += 1;
      return world.alive;
    },
    onTransition: (state) => states.push(state),
  });
  const fail = (times = 1): void => {
    for (let i = 0; i < times; i++) breaker.failed(breaker.admit() ?? -1);
  };
  const coolDown = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await new Promise(setImmediate);
  };
  return { breaker, clock, states, world, fail, coolDown };
}

describe("a circuit breaker", () => {
  test("opens after so many failures in a row, not before, and not with a success between", () => {
    const { breaker, states, fail } = createBreaker();
    fail(2);
    breaker.succeeded(breaker.admit() ?? -1);
    fail(2);
    assert.equal(breaker.state, "healthy");
    fail();
    assert.equal(breaker.state, "open");
    assert.equal(breaker.admit(), undefined);
    assert.equal(breaker.retryAfterMs, 1000);
    assert.deepEqual(states, ["open"]);
  });

  test("asks first, then lets one call decide", async () => {
    const { breaker, world, states, fail, coolDown } = createBreaker();
    fail(3);
    await coolDown(999);
    assert.equal(world.probes, 0);
    await coolDown(1);
    assert.equal(world.probes, 1);
    assert.equal(breaker.state, "probing");
    const permit = breaker.admit();
    assert.ok(permit !== undefined);
    assert.equal(breaker.admit(), undefined, "only one call passes");
    breaker.succeeded(permit);
    assert.equal(breaker.state, "healthy");
    assert.deepEqual(states, ["open", "probing", "healthy"]);
  });

  test("doubles its pause up to the limit, and forgets that once it is well", async () => {
    const { breaker, clock, world, fail, coolDown } = createBreaker();
    world.alive = false;
    fail(3);
    const pauses: number[] = [];
    for (let i = 0; i < 4; i++) {
      const [pause = 0] = clock.pending;
      pauses.push(pause);
      await coolDown(pause);
    }
    assert.deepEqual(pauses, [1000, 2000, 4000, 5000]);
    world.alive = true;
    await coolDown(5000);
    breaker.succeeded(breaker.admit() ?? -1);
    fail(3);
    assert.deepEqual(clock.pending, [1000]);
  });

  test("opens again when the one call fails", async () => {
    const { breaker, clock, fail, coolDown } = createBreaker();
    fail(3);
    await coolDown(1000);
    fail();
    assert.equal(breaker.state, "open");
    assert.deepEqual(clock.pending, [2000]);
  });

  test("lets another call decide when the first one went away", async () => {
    const { breaker, fail, coolDown } = createBreaker();
    fail(3);
    await coolDown(1000);
    breaker.abandoned(breaker.admit() ?? -1);
    assert.equal(breaker.state, "probing");
    assert.notEqual(breaker.admit(), undefined);
  });

  test("does not listen to calls from before the change", async () => {
    const { breaker, clock, fail, coolDown } = createBreaker();
    const old = breaker.admit() ?? -1;
    fail(3);
    breaker.failed(old);
    assert.deepEqual(clock.pending, [1000], "the pause did not grow");
    await coolDown(1000);
    breaker.failed(old);
    breaker.succeeded(old);
    assert.equal(breaker.state, "probing");
  });

  test("sets no alarm after it was closed", async () => {
    const { breaker, clock, world, fail, coolDown } = createBreaker();
    world.alive = false;
    fail(3);
    breaker.close();
    await coolDown(10_000);
    assert.deepEqual(clock.pending, []);
    assert.equal(world.probes, 0);
  });
});
