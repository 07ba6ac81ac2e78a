import assert from "node:assert/strict";
import { test } from "node:test";
import { secureRandomness } from "./randomness.ts";
import { defaultAlias, isAlias, newName } from "./resource-names.ts";

test("the default alias says the kind of model, with a number when it is taken", () => {
  const taken = new Set(["INFERENCE", "INFERENCE_2", "INFERENCE_4"]);
  const isTaken = (alias: string) => taken.has(alias);
  assert.equal(defaultAlias("chat", isTaken), "INFERENCE_3");
  assert.equal(defaultAlias("embedding", isTaken), "EMBEDDING");
  assert.equal(defaultAlias("image", isTaken), "DIFFUSION");
  assert.equal(defaultAlias("rerank", isTaken), "RERANK");
});

test("an alias is what may begin the name of a variable", () => {
  for (const good of ["A", "INFERENCE_2", "MY_MODEL", `A${"_".repeat(62)}`]) {
    assert.ok(isAlias(good), good);
  }
  for (const bad of ["", "a", "2A", "_A", "A-B", "A B", "A\n", "Ä", `A${"B".repeat(63)}`]) {
    assert.ok(!isAlias(bad), bad);
  }
});

test("a name is the kind, a word and four digits", () => {
  for (let i = 0; i < 200; i += 1) {
    const name = newName("image", secureRandomness, () => false);
    assert.match(name, /^diffusion-[a-z]+-\d{4}$/);
  }
});

test("a name that is taken is drawn again, with more digits when they run short", () => {
  const integers = (below: number): number => (below > 10_000 ? 12_345 : 7);
  const random = { ...secureRandomness, integer: integers };
  const name = newName("chat", random, (candidate) => candidate.endsWith("-0007"));
  assert.match(name, /^inference-[a-z]+-12345$/);
});
