import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTestCall } from "../../../test/support/mock-upstream-caller.ts";
import { type Candidate, chooseTarget, seedOf } from "./choose-target.ts";
import { hashPrefix } from "./hash-prefix.ts";

type Named = Candidate & { readonly name: string };

const candidate = (name: string, load = 0, weight = 1): Named => ({
  name,
  load,
  weight,
  seed: seedOf(name),
});
const half = () => 0.5;
const prefixes = Array.from({ length: 2000 }, (_, i) =>
  hashPrefix(createTestCall({ system: [{ type: "text", text: `You are agent number ${i}.` }] })),
);
const place = (candidates: readonly Named[]) =>
  prefixes.map((prefix) => chooseTarget(candidates, prefix, half)?.name ?? "");

describe("the choice of a target by prefix", () => {
  const three = [candidate("a:1/m"), candidate("b:1/m"), candidate("c:1/m")];

  test("is the same every time and in every order", () => {
    assert.deepEqual(place(three), place([...three].reverse()));
  });

  test("spreads prefixes by weight", () => {
    const count = (names: readonly string[], name: string) =>
      names.filter((each) => each === name).length / names.length;
    const even = place(three);
    for (const { name } of three) assert.ok(Math.abs(count(even, name) - 1 / 3) < 0.05);
    const uneven = place([candidate("a:1/m", 0, 3), candidate("b:1/m")]);
    assert.ok(Math.abs(count(uneven, "a:1/m") - 0.75) < 0.05);
  });

  test("moves only the prefixes of a target that left", () => {
    const before = place(three);
    const after = place(three.filter(({ name }) => name !== "b:1/m"));
    for (const [i, name] of before.entries()) {
      if (name !== "b:1/m") assert.equal(after[i], name);
    }
  });

  test("gives way when the preferred target has clearly more than its share", () => {
    const [prefix] = prefixes;
    const preferred = chooseTarget(three, prefix, half)?.name ?? "";
    const loaded = (load: number) =>
      chooseTarget(
        three.map(({ name }) => candidate(name, name === preferred ? load : 3)),
        prefix,
        half,
      )?.name;
    assert.equal(loaded(6), preferred);
    assert.notEqual(loaded(20), preferred);
  });
});

describe("the choice of a target without a prefix", () => {
  test("takes the least loaded for its weight", () => {
    const pick = (...candidates: Named[]) => chooseTarget(candidates, undefined, half)?.name;
    assert.equal(pick(candidate("a", 2), candidate("b", 1)), "b");
    assert.equal(pick(candidate("a", 2, 4), candidate("b", 1)), "a");
  });

  test("throws weighted dice among equals", () => {
    const idle = [candidate("a", 0, 3), candidate("b", 0, 1)];
    const pick = (dice: number) => chooseTarget(idle, undefined, () => dice)?.name;
    assert.deepEqual([0, 0.5, 0.74, 0.76, 0.999].map(pick), ["a", "a", "a", "b", "b"]);
  });

  test("is nobody where there is nobody", () => {
    assert.equal(chooseTarget([], undefined, half), undefined);
  });
});

describe("the prefix of a call", () => {
  const tool = { name: "f", description: "does", parameters: { properties: { a: {} } } };

  test("is the system prompt and the tools, and not the conversation", () => {
    const system = [{ type: "text", text: "Be brief." }] as const;
    const one = hashPrefix(createTestCall({ system, tools: [tool] }));
    const same = hashPrefix(createTestCall({ id: "2", system, tools: [tool], messages: [] }));
    assert.equal(one, same);
    assert.notEqual(one, hashPrefix(createTestCall({ system })));
    const other = { ...tool, parameters: { properties: { b: {} } } };
    assert.notEqual(one, hashPrefix(createTestCall({ system, tools: [other] })));
  });

  test("sees both ends of a long prompt", () => {
    const long = (text: string) => hashPrefix(createTestCall({ system: [{ type: "text", text }] }));
    const middle = "x".repeat(50_000);
    assert.notEqual(long(`a${middle}z`), long(`b${middle}z`));
    assert.notEqual(long(`a${middle}y`), long(`a${middle}z`));
  });

  test("is none where there is neither", () => {
    assert.equal(hashPrefix(createTestCall()), undefined);
  });
});
