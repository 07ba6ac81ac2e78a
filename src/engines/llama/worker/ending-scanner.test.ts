import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EndingScanner } from "./ending-scanner.ts";

describe("the search for an ending", () => {
  test("finds it however the text is cut, and shows no part of it", () => {
    const text = "a < b </thin </think> more";
    for (let size = 1; size <= text.length; size += 1) {
      const scanner = new EndingScanner(["</think>", "<|end|>"]);
      let seen = "";
      for (let at = 0; at < text.length && scanner.endedAt === undefined; at += size) {
        seen += scanner.push(text.slice(at, at + size));
      }
      assert.equal(seen, "a < b </thin ", `pieces of ${size}`);
      assert.equal(scanner.endedAt, 13);
    }
  });

  test("takes the ending that comes first", () => {
    const scanner = new EndingScanner(["two", "one"]);
    assert.equal(scanner.push("zero one two"), "zero ");
  });

  test("gives back at the end what only looked like one", () => {
    const scanner = new EndingScanner(["</think>"]);
    assert.equal(scanner.push("if a </th"), "if a ");
    assert.equal(scanner.end(), "</th");
    assert.equal(scanner.endedAt, undefined);
  });
});
