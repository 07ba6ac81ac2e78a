// What is refused, by what name, and that nothing a schema holds can make it expensive.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ServiceError } from "../../../call/index.ts";
import { compileJsonSchema } from "./index.ts";
import { askNative } from "./native-fixture.ts";

const refuses = (schema: unknown, message: RegExp) =>
  assert.throws(() => compileJsonSchema(schema), { status: 400, message }, JSON.stringify(schema));

describe("a schema is refused", () => {
  test("by the name and the path of what no grammar can keep", () => {
    const inside = (schema: object) => ({ type: "object", properties: { tags: schema } });
    for (const [keyword, value] of Object.entries({
      not: {},
      if: {},
      contains: {},
      uniqueItems: true,
      patternProperties: { "^x": {} },
      propertyNames: { pattern: "^x" },
      dependentSchemas: { a: {} },
      dependentRequired: { a: ["b"] },
      unevaluatedProperties: false,
      unevaluatedItems: false,
      $dynamicRef: "#x",
    })) {
      const path = `schema.properties.tags.${keyword}`.replaceAll(/[.$]/g, "\\$&");
      refuses(inside({ [keyword]: value }), new RegExp(`^${path}: is not supported`));
    }
  });

  test("where no value can fit", () => {
    refuses(false, /exclude each other/);
    refuses({ type: "integer", minimum: 5, maximum: 4 }, /leave out every integer/);
    refuses({ type: "integer", minimum: 5.2, maximum: 5.8 }, /leave out every integer/);
    refuses({ allOf: [{ type: "string" }, { type: "null" }] }, /exclude each other/);
    refuses({ type: "string", enum: [1, 2] }, /holds no value that fits/);
    refuses({ type: "array", minItems: 3, maxItems: 2 }, /is below minItems/);
    refuses({ properties: {}, required: ["a"], additionalProperties: false }, /wants "a"/);
  });

  test("where it is none", () => {
    for (const schema of [null, 7, "string", [], { type: "float" }, { type: [] }]) {
      refuses(schema, /must/);
    }
    refuses({ properties: [] }, /properties: must be an object/);
    refuses({ required: "a" }, /required: must be a list/);
    refuses({ minLength: -1 }, /minLength: must be a whole number/);
    refuses({ enum: "a" }, /enum: must be a list/);
    refuses({ anyOf: [] }, /anyOf: must be a list/);
    refuses({ $ref: "https://example.com/schema" }, /\$ref: must point into the same schema/);
    refuses({ $ref: "#/$defs/none" }, /is not there/);
  });

  test("where it refers to itself with nothing in between", () => {
    refuses({ $ref: "#" }, /refers to itself/);
    refuses({ anyOf: [{ type: "null" }, { $ref: "#" }] }, /refers to itself/);
    refuses({ $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" }, /too many/);
  });

  test("where its pattern is no set of texts", () => {
    for (const pattern of [
      "(?=a)",
      "(?<!a)b",
      "(a)\\1",
      "\\bword",
      "\\p{L}",
      "a^b",
      "(a",
      "a)",
      "[a",
      "*",
      "a{3,1}",
      "\\",
    ]) {
      refuses({ type: "string", pattern }, /^schema\.pattern: /);
    }
    refuses({ type: "string", pattern: "^a+b+$", maxLength: 5 }, /write the length/);
  });
});

describe("a hostile schema", () => {
  const wide = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));
  const deep = (levels: number) => {
    let schema: object = { type: "null" };
    for (let level = 0; level < levels; level += 1) schema = { type: "array", items: schema };
    return schema;
  };

  test("meets a bound that it is told", () => {
    refuses({ type: "array", minItems: 1e9 }, /minItems: is 1000000000; the most here is 32768/);
    refuses({ type: "string", minLength: 1e6 }, /the most here is 32768/);
    refuses({ type: "object", properties: wide(300) }, /has 300 members; the most is 256/);
    refuses({ enum: Array.from({ length: 2000 }, (_, n) => n) }, /has 2000 values/);
    refuses({ anyOf: Array.from({ length: 200 }, () => ({})) }, /has 200 branches/);
    refuses(deep(100), /lies deeper than 48 levels/);
    refuses({ pattern: "(((a{0,99}){0,99}){0,99})" }, /the most is 2000/);
    refuses({ pattern: "^(a*b?a*){0,60}$" }, /may stand for 96 places at most/);
    refuses({ pattern: "a".repeat(1001) }, /longer than 1000/);
    refuses({ pattern: `${"(".repeat(20)}a${")".repeat(20)}` }, /nested too deeply/);
  });

  test("does not double itself without end", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, level === 39 ? { type: "object" } : { allOf: [next, next] }];
      }),
    );
    refuses({ $ref: "#/$defs/d0", $defs }, /too many|more than 4000/);
    const doubled = `${"(".repeat(8)}c?(d?${")*".repeat(8)})*`;
    const begun = performance.now();
    try {
      compileJsonSchema({ type: "string", pattern: doubled });
    } catch (error) {
      assert.ok(error instanceof ServiceError);
    }
    assert.ok(performance.now() - begun < 2000);
  });

  test("that is allowed is still cheap for llama.cpp", async () => {
    const grammars = [
      { type: "string", maxLength: 1e9 },
      { type: "string", minLength: 32_768 },
      { type: "array", items: deep(20), maxItems: 1e9 },
      { type: "object", properties: wide(256) },
      { enum: Array.from({ length: 1000 }, (_, n) => `value ${n}`) },
      { type: "string", pattern: "^(a{0,40}){0,40}$" },
      { type: "string", pattern: "^(a|a|aa|a*)*$" },
      { type: "integer", multipleOf: 61 },
    ].map((schema) => compileJsonSchema(schema));
    const questions = grammars.map((grammar) => ({ grammar, texts: [] }));
    for (const [index, answer] of (await askNative(questions)).entries()) {
      assert.ok(answer.accepted, grammars[index]);
      assert.ok(answer.milliseconds < 1000, `${answer.milliseconds} ms for ${index}`);
    }
  });

  test("of any JSON at all gives a grammar or a 400", () => {
    const keywords = fc.constantFrom(
      "type",
      "properties",
      "items",
      "enum",
      "anyOf",
      "allOf",
      "$ref",
      "required",
      "pattern",
      "minimum",
      "maxLength",
      "minItems",
      "additionalProperties",
      "__proto__",
      "const",
      "format",
      "nullable",
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom("string", "object", "array", "#", "#/items", "^a"),
        fc.dictionary(keywords, tie("schema")),
        fc.array(tie("schema"), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(schema, (value) => {
        try {
          compileJsonSchema(value);
        } catch (error) {
          assert.ok(error instanceof ServiceError && error.status === 400, String(error));
        }
      }),
      { numRuns: 1500 },
    );
  });
});
