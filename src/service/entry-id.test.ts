import assert from "node:assert/strict";
import { test } from "node:test";
import { createEntryIds } from "./entry-id.ts";

test("entry ids rise, within a millisecond, over many, and when the clock goes back", () => {
  let now = 1_794_750_430_000;
  const next = createEntryIds(() => now);
  const ids: string[] = [];
  for (const step of [0, 0, 1, -5000, 0, 60_000]) {
    now += step;
    for (let n = 0; n < 1000; n++) ids.push(next());
  }
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
});

test("two processes give out different ids at the same time", () => {
  assert.notEqual(createEntryIds(() => 1)(), createEntryIds(() => 1)());
});
