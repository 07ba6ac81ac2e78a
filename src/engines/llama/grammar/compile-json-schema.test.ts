import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createWalker, parseGbnf } from "./gbnf-fixture.ts";
import { compileJsonObject, compileJsonSchema } from "./index.ts";
import { askNative, type NativeQuestion } from "./native-fixture.ts";
import { randomSchema } from "./random-schema-fixture.ts";
import { fits } from "./validate-fixture.ts";

/** A small generator with a seed, so that a failing walk can be walked again. */
function createPick(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

function walks(schema: unknown, count: number): string[] {
  const walk = createWalker(parseGbnf(compileJsonSchema(schema)));
  return Array.from({ length: count }, (_, index) => walk(createPick(index * 7919 + 17)));
}

describe("whatever a compiled grammar allows", () => {
  test("is JSON that fits the schema, on 300 random schemas", () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        for (const text of walks(schema, 8)) {
          assert.ok(fits(JSON.parse(text), schema), `${text} for ${JSON.stringify(schema)}`);
          assert.ok(
            [...text].every((one) => one >= " "),
            text,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  test("is taken by llama.cpp too, grammar and texts", async () => {
    const questions: NativeQuestion[] = fc
      .sample(randomSchema, 200)
      .map((schema) => ({ grammar: compileJsonSchema(schema), texts: walks(schema, 3) }));
    questions.push({ grammar: compileJsonObject(), texts: ['{"a": [1, {"b": null}]}'] });
    const answers = await askNative(questions);
    for (const [index, answer] of answers.entries()) {
      assert.ok(answer.accepted, questions[index]?.grammar);
      assert.ok(
        answer.texts.every((taken) => taken),
        JSON.stringify(questions[index]),
      );
    }
  });
});
