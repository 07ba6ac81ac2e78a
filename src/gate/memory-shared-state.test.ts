import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySharedState } from "./memory-shared-state.ts";
import { testSharedState } from "./shared-state-contract.ts";

testSharedState("the memory of one process", (clock) => createMemorySharedState({ clock }));

test("it uses a monotonic clock unless it is given one", () => {
  const state = createMemorySharedState();
  const limits = { requests: 1, tokens: null };
  assert.deepEqual(
    [state.admit("bucket", limits, 0), state.admit("bucket", limits, 0)].map(
      (decision) => "admitted" in decision && decision.admitted,
    ),
    [true, false],
  );
});

test("buckets that nobody asks any more are dropped, busy ones stay", () => {
  let now = 0;
  const state = createMemorySharedState({ clock: () => now });
  const limits = { requests: 100, tokens: null };
  for (let i = 0; i < 1_000; i += 1) state.admit(`idle ${i}`, limits, 1);
  assert.equal(state.bucketCount, 1_000);
  for (let i = 0; i < 200; i += 1) {
    now += 1_000;
    state.admit("busy", limits, 1);
  }
  assert.equal(state.bucketCount, 1);
});

test("after a long silence everything from before is dropped at once", () => {
  let now = 0;
  const state = createMemorySharedState({ clock: () => now });
  const limits = { requests: 100, tokens: null };
  for (let i = 0; i < 1_000; i += 1) state.admit(`idle ${i}`, limits, 1);
  now += 3_600_000;
  state.admit("new", limits, 1);
  assert.equal(state.bucketCount, 1);
});

test("asking for a standing makes no bucket", () => {
  const state = createMemorySharedState();
  state.standing("nobody", { requests: 1, tokens: 1 });
  assert.equal(state.bucketCount, 0);
});
