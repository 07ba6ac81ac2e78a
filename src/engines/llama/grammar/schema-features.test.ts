// What each keyword lets through and keeps out, judged by llama.cpp itself.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compileJsonObject, compileJsonSchema } from "./index.ts";
import { askNative } from "./native-fixture.ts";

type Feature = {
  readonly says: string;
  readonly schema: unknown;
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
};

const node = {
  type: "object",
  properties: { value: { type: "integer" }, next: { $ref: "#/$defs/node" } },
  required: ["value"],
};

const FEATURES: readonly Feature[] = [
  {
    says: "any subset of the optional members, in the order of the schema",
    schema: {
      type: "object",
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 }, d: { const: 4 } },
      required: ["c"],
    },
    allowed: ['{"c":3}', '{"a":1,"c":3}', '{"b":2, "c":3, "d":4}', '{"a": 1,"b": 2,"c": 3,"d": 4}'],
    forbidden: ["{}", '{"a":1}', '{"c":3,"a":1}', '{"c":3,}', '{"c":3,"e":5}', '{ "c":3}'],
  },
  {
    says: "no members where there are none, any where nothing is said",
    schema: {
      anyOf: [
        { type: "object", properties: {} },
        { type: "array", maxItems: 0 },
      ],
    },
    allowed: ["{}", "[]"],
    forbidden: ['{"a":1}', "[1]"],
  },
  {
    says: "free members of one shape that do not spell a named one",
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      additionalProperties: { type: "boolean" },
    },
    allowed: ['{"name":"x","nam":true,"names":false,"o":true}', '{"n":true}', "{}"],
    forbidden: ['{"name":true}', '{"o":1}', '{"o":true,"name":true}'],
  },
  {
    says: "integers exactly between their bounds, without exponents",
    schema: { type: "integer", minimum: -12, maximum: 345 },
    allowed: ["-12", "-1", "0", "9", "10", "99", "100", "299", "345"],
    forbidden: ["-13", "346", "400", "1000", "1.0", "1e1", "-0", "01", "00"],
  },
  {
    says: "integers above an open bound",
    schema: { type: "integer", exclusiveMinimum: 17 },
    allowed: ["18", "20", "100", "999999999999999"],
    forbidden: ["17", "9", "-20", "1000000000000000", "7e+17"],
  },
  {
    says: "numbers between decimal bounds",
    schema: { type: "number", minimum: 0.5, exclusiveMaximum: 2.25 },
    allowed: ["0.5", "0.50", "1", "2", "2.2", "2.249999", "1.125"],
    forbidden: ["0.4", "0", "2.25", "2.3", "3", "-1", "1e0"],
  },
  {
    says: "multiples by digits, by listing and by remainder",
    schema: {
      type: "array",
      prefixItems: [
        { type: "integer", multipleOf: 100 },
        { type: "integer", multipleOf: 5, minimum: 5, maximum: 20 },
        { type: "integer", multipleOf: 7 },
        { type: "number", multipleOf: 0.01 },
      ],
      items: false,
    },
    allowed: ["[0]", "[1200,15]", "[-300, 20, 49]", "[100,5,-7014,1.25]", "[]"],
    forbidden: ["[150]", "[0,25]", "[0,12]", "[0,5,50]", "[0,5,7,1.255]", "[0,5,7,1,1]"],
  },
  {
    says: "arrays within their counts",
    schema: { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 3 },
    allowed: ["[true,false]", "[true, true, true]"],
    forbidden: ["[]", "[true]", "[true,true,true,true]", "[true,]", "[1,2]"],
  },
  {
    says: "strings by length, in characters and not in bytes",
    schema: { type: "string", minLength: 2, maxLength: 3 },
    allowed: ['"ab"', '"é😀"', '"\\n\\u00e9a"'],
    forbidden: ['"a"', '"abcd"', '"a\nb"', '"a\\x"', '"\\ud800a"', '"ab'],
  },
  {
    says: "patterns, with JSON's own escapes",
    schema: { type: "string", pattern: '^(a|b){2,3}[^x-z]"\\\\?\\d+$' },
    allowed: ['"abq\\"7"', '"aba\\n\\"\\\\42"'],
    forbidden: ['"abx\\"7"', '"aq\\"7"', '"abq"7"', '"abq\\""'],
  },
  {
    says: "a pattern without anchors anywhere in the text",
    schema: { type: "string", pattern: "@|^x" },
    allowed: ['"@"', '"a@b"', '"xyz"'],
    forbidden: ['"ab"', '"ax"'],
  },
  {
    says: "counts of counts in a pattern, as one count",
    schema: { type: "string", pattern: "^((a{0,2}){2,3}b?)$" },
    allowed: ['""', '"b"', '"a"', '"aaaaaa"', '"aaaaaab"'],
    forbidden: ['"aaaaaaa"', '"bb"', '"ba"'],
  },
  {
    says: "dates that exist",
    schema: { type: "string", format: "date" },
    allowed: ['"2024-02-28"', '"1999-12-31"'],
    forbidden: ['"2024-02-30"', '"2024-13-01"', '"2024-4-1"', '"today"'],
  },
  {
    says: "one of any JSON values",
    schema: { enum: ["a", "ab", 'q"', null, 1.5, { x: [1] }] },
    allowed: ['"a"', '"ab"', '"q\\""', "null", "1.5", '{"x":[1]}'],
    forbidden: ['"abc"', "1", "{}"],
  },
  {
    says: "several types, and null where it is allowed",
    schema: {
      type: "object",
      properties: {
        a: { type: ["integer", "null"] },
        b: { type: "string", enum: ["x"], nullable: true },
      },
      required: ["a", "b"],
    },
    allowed: ['{"a":1,"b":"x"}', '{"a":null,"b":null}'],
    forbidden: ['{"a":"1","b":"x"}', '{"a":1,"b":"y"}'],
  },
  {
    says: "all of several schemas, as one",
    schema: {
      allOf: [
        { type: "object", properties: { a: { type: "number", minimum: 3 } }, required: ["a"] },
        { $ref: "#/$defs/more" },
      ],
      $defs: {
        more: {
          type: "object",
          properties: { a: { type: "integer", maximum: 5 }, b: { type: "null" } },
          required: ["b"],
        },
      },
    },
    allowed: ['{"a":3,"b":null}', '{"a":5,"b":null}'],
    forbidden: ['{"a":2,"b":null}', '{"a":6,"b":null}', '{"a":3.5,"b":null}', '{"a":4}'],
  },
  {
    says: "choices beside what holds for all of them",
    schema: {
      type: "object",
      properties: { kind: { type: "string" } },
      required: ["kind"],
      oneOf: [
        { properties: { kind: { const: "cat" }, lives: { type: "integer" } } },
        { properties: { kind: { const: "dog" } } },
        { type: "string" },
      ],
    },
    allowed: ['{"kind":"cat","lives":9}', '{"kind":"dog"}'],
    forbidden: ['{"kind":"cow"}', '{"kind":"dog","lives":9}', '"cat"'],
  },
  {
    says: "schemas that hold themselves",
    schema: { $ref: "#/$defs/node", $defs: { node } },
    allowed: ['{"value":1}', '{"value":1,"next":{"value":2,"next":{"value":3}}}'],
    forbidden: ['{"next":{"value":1}}', '{"value":1,"next":{}}'],
  },
  {
    says: "long repetitions, to the character",
    schema: { type: "string", minLength: 700, maxLength: 5000 },
    allowed: [`"${"a".repeat(700)}"`, `"${"a".repeat(4999)}"`, `"${"a".repeat(5000)}"`],
    forbidden: [`"${"a".repeat(699)}"`, `"${"a".repeat(5001)}"`],
  },
];

describe("a schema's grammar allows", async () => {
  const answers = await askNative(
    FEATURES.map(({ schema, allowed, forbidden }) => ({
      grammar: compileJsonSchema(schema),
      texts: [...allowed, ...forbidden],
    })),
  );
  for (const [index, { says, allowed, forbidden }] of FEATURES.entries()) {
    test(says, () => {
      const answer = answers[index];
      assert.ok(answer?.accepted);
      for (const [at, text] of [...allowed, ...forbidden].entries()) {
        assert.equal(answer.texts[at], at < allowed.length, text);
      }
    });
  }

  test("any object in JSON mode, on one line and to a fixed depth", async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const texts = ['{"a": [1, {"b": null}], "c": "\\n"}', "{}", deep(6)];
    const wrong = ["[1]", '{"a":\n1}', '{"a":  1}', deep(7), '{"a":1e9}'];
    const [answer] = await askNative([
      { grammar: compileJsonObject(), texts: [...texts, ...wrong] },
    ]);
    assert.deepEqual(answer?.texts, [...texts.map(() => true), ...wrong.map(() => false)]);
  });
});
