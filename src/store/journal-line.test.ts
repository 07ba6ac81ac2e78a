import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decodeLine, encodeLine } from "./journal-line.ts";
import { ledgerEntry } from "./store-fixtures.ts";

const decode = (line: string) => decodeLine(line.slice(0, -1));

describe("a journal line", () => {
  it("gives back any entry, as one line of ASCII", () => {
    const anyText = fc.string({ unit: "binary" });
    const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(anyText, anyText, anyText, anyNumber, fc.nat(), (id, model, route, at, count) => {
        const entry = ledgerEntry(id, {
          model,
          route,
          at: at + 0,
          promptTokens: count,
          estimated: count % 2 === 0,
        });
        const line = encodeLine(entry);
        assert.match(line, /^[\x20-\x7e]+\n$/);
        assert.deepEqual(decode(line), entry);
      }),
    );
  });

  it("is refused when any part of it is missing", () => {
    const line = encodeLine(ledgerEntry("entry"));
    for (let length = 0; length < line.length - 1; length += 1) {
      assert.equal(decodeLine(line.slice(0, length)), undefined);
    }
  });

  it("is refused when any character of it was changed", () => {
    const line = encodeLine(ledgerEntry("entry")).slice(0, -1);
    for (let index = 0; index < line.length; index += 1) {
      const changed = `${line.slice(0, index)}\0${line.slice(index + 1)}`;
      assert.equal(decodeLine(changed), undefined);
    }
  });

  it("is not made of numbers that no reader would accept", () => {
    for (const promptTokens of [Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => encodeLine(ledgerEntry("entry", { promptTokens })), TypeError);
    }
  });
});
