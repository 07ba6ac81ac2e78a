import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { joinPath, showName, showValue } from "./show-value.ts";

test("short values are shown as JSON", () => {
  assert.equal(showValue("robot"), '"robot"');
  assert.equal(showValue(1.5), "1.5");
  assert.equal(showValue(null), "null");
  assert.equal(showValue(Number.POSITIVE_INFINITY), "Infinity");
  assert.equal(
    showValue({ a: [1, "b", { c: true }], "d e": null }),
    '{"a":[1,"b",{"c":true}],"d e":null}',
  );
  assert.equal(showValue([]), "[]");
});

test("a long string is cut and marked", () => {
  assert.equal(showValue("x".repeat(64)), `"${"x".repeat(64)}"`);
  assert.equal(showValue("x".repeat(1_000_000)), `"${"x".repeat(64)}…"`);
});

test("a cut never leaves half a character", () => {
  assert.equal(showValue(`${"x".repeat(63)}😀y`), `"${"x".repeat(63)}…"`);
});

test("what could break a line or a terminal is escaped", () => {
  assert.equal(
    showValue("a\u0000\n\u001b[31m\u007f\u009b\u2028\u202e\ud800"),
    '"a\\u0000\\n\\u001b[31m\\u007f\\u009b\\u2028\\u202e\\ud800"',
  );
  assert.equal(showName("a\nb\u0000"), "a\\nb\\u0000");
  assert.equal(showName("n".repeat(100)), `${"n".repeat(64)}…`);
});

test("any value, however large or deep, is shown in few printable characters", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20, stringUnit: "binary" }), (value) => {
      const shown = showValue(value);
      assert.ok(shown.length <= 70, shown);
      assert.ok(shown.isWellFormed());
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
    }),
  );
  assert.ok(showValue(JSON.parse("[".repeat(50_000) + "]".repeat(50_000))).length <= 70);
  assert.ok(showValue(Array.from({ length: 100_000 }, (_, i) => i)).length <= 70);
});

test("paths are written as in JavaScript", () => {
  assert.equal(joinPath(joinPath(joinPath("", "messages"), 2), "role"), "messages[2].role");
  assert.equal(joinPath("metadata", "two words"), 'metadata["two words"]');
  assert.equal(joinPath("a", 'q"\n'), 'a["q\\"\\n"]');
});
