import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { hashKey, isKey, newKey, readApiKey, readBearer } from "./keys.ts";

const KEY = "inf-3f2504e0-4f89-41d3-9a0c-0305e82c3301";

test("a new key has the form that is accepted", () => {
  for (let i = 0; i < 100; i += 1) assert.ok(isKey(newKey(randomUUID())));
});

test("a key is read from a Bearer header, whatever the case of the scheme", () => {
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
    assert.equal(readBearer(`${scheme} ${KEY}`), KEY);
  }
});

test("a key is read from an x-api-key header as it is", () => {
  assert.equal(readApiKey(KEY), KEY);
  assert.equal(readApiKey(`Bearer ${KEY}`), undefined);
});

test("no edit of a key or of its header is still taken for a key", () => {
  const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
  fc.assert(
    fc.property(fc.nat({ max: KEY.length - 1 }), character, (at, inserted) => {
      const longer = KEY.slice(0, at) + inserted + KEY.slice(at);
      for (const wrong of [longer, KEY + inserted, KEY.slice(0, at), KEY.slice(at + 1)]) {
        assert.equal(readApiKey(wrong), undefined);
        assert.equal(readBearer(`Bearer ${wrong}`), undefined);
      }
    }),
    { numRuns: 300 },
  );
});

test("the hash is SHA-256 in hex", () => {
  assert.equal(hashKey("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
