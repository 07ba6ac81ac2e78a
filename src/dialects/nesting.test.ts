import assert from "node:assert/strict";
import { test } from "node:test";
import { isTooDeep, MOST_LEVELS } from "./nesting.ts";

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);

test("as many levels as allowed pass, one more does not", () => {
  assert.equal(isTooDeep(nested(MOST_LEVELS)), false);
  assert.equal(isTooDeep(nested(MOST_LEVELS + 1)), true);
});

test("a hundred thousand levels are found without running out of stack", () => {
  assert.equal(isTooDeep(nested(100_000)), true);
  assert.equal(isTooDeep(JSON.parse("[".repeat(100_000) + "]".repeat(100_000))), true);
});

test("wide values and plain ones are not deep", () => {
  assert.equal(isTooDeep(Array(100_000).fill({ a: null })), false);
  assert.equal(isTooDeep(null), false);
  assert.equal(isTooDeep("text"), false);
});
