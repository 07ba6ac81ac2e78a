import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { refusalOf } from "./chat/chat-fixtures.ts";
import { optionalField } from "./optional-field.ts";
import { compileRequest } from "./schema-error.ts";

const Circle = Type.Object({ type: Type.Literal("circle"), radius: Type.Number() });
const Square = Type.Object({ type: Type.Enum(["square", "box"]), side: Type.Integer() });

const parse = compileRequest(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 5 }),
      share: optionalField(Type.Number({ minimum: 0, maximum: 1 })),
      count: optionalField(Type.Integer({ minimum: 1 })),
      most: optionalField(Type.Integer({ maximum: 9 })),
      on: optionalField(Type.Boolean()),
      shape: optionalField(Type.Union([Type.Enum(["none", "all"]), Circle, Square])),
      shapes: optionalField(Type.Array(Type.Union([Circle, Square]), { minItems: 2, maxItems: 3 })),
      either: optionalField(Type.Union([Type.String(), Type.Array(Type.String())])),
      code: optionalField(Type.String({ pattern: "^[a-z]+$" })),
      inner: optionalField(Type.Object({ a: Type.Number() }, { additionalProperties: false })),
      allow_ignored_params: optionalField(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
);

const REFUSALS: readonly [fields: object, message: string][] = [
  [{ name: 5 }, "name: 5 is not a string"],
  [{ name: "" }, "name: must not be empty"],
  [{ name: "abcdef" }, 'name: "abcdef" is too long: the most is 5 characters'],
  [{ share: 1.5 }, "share: 1.5 is out of range: it must be between 0.0 and 1.0"],
  [{ share: -1 }, "share: -1 is out of range: it must be between 0.0 and 1.0"],
  [{ share: "1" }, 'share: "1" is not a number'],
  [{ share: Number.POSITIVE_INFINITY }, "share: Infinity is not a number"],
  [{ count: 12.5 }, "count: 12.5 is not an integer"],
  [{ count: 0 }, "count: 0 is out of range: it must be at least 1"],
  [{ most: 1e300 }, "most: 1e+300 is out of range: it must be at most 9"],
  [{ on: "yes" }, 'on: "yes" is not a boolean'],
  [{ shape: "some" }, 'shape: "some" is not one of "none", "all"'],
  [{ shape: 5 }, 'shape: 5 is not "none", "all" or an object'],
  [{ shape: {} }, "shape.type: is required"],
  [{ shape: { type: "line" } }, 'shape.type: "line" is not one of "circle", "square", "box"'],
  [{ shape: { type: "box" } }, "shape.side: is required"],
  [{ shape: { type: "circle", radius: null } }, "shape.radius: null is not a number"],
  [
    {
      shapes: [
        { type: "circle", radius: 1 },
        { type: "box", side: 1.5 },
      ],
    },
    "shapes[1].side: 1.5 is not an integer",
  ],
  [
    { shapes: [{ type: "circle", radius: 1 }] },
    'shapes: [{"type":"circle","radius":1}] is too short: the least is 2',
  ],
  [
    { shapes: Array(4).fill({ type: "circle", radius: 1 }) },
    "shapes: has too many items: the most is 3",
  ],
  [{ either: 5 }, "either: 5 is not a string or an array"],
  [{ either: ["a", 5] }, "either[1]: 5 is not a string"],
  [{ code: "A" }, 'code: "A" must be of the form ^[a-z]+$'],
  [{ inner: { a: 1, b: 2 } }, "unrecognized request argument supplied: inner.b"],
  [{ inner: {} }, "inner.a: is required"],
  [{ other: 1 }, "unrecognized request argument supplied: other"],
  [{ other: 1, more: 2 }, "unrecognized request arguments supplied: other, more"],
  [{ "a\nb": 1 }, "unrecognized request argument supplied: a\\nb"],
];

for (const [fields, message] of REFUSALS) {
  test(`a body is refused with: ${message}`, () => {
    assert.equal(
      refusalOf(() => parse({ name: "x", ...fields })),
      message,
    );
  });
}

test("a body that is no object, or lacks a field, is refused by name", () => {
  assert.equal(
    refusalOf(() => parse([])),
    "body: [] is not an object",
  );
  assert.equal(
    refusalOf(() => parse(null)),
    "body: null is not an object",
  );
  assert.equal(
    refusalOf(() => parse({})),
    "name: is required",
  );
});

test("many unknown fields are named in part", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]));
  assert.equal(
    refusalOf(() => parse({ name: "x", ...many })),
    "unrecognized request arguments supplied: f0, f1, f2, f3, f4, f5, f6, f7 and 992 more",
  );
});

test("a good body comes back as it is", () => {
  const body = { name: "x", share: null, shape: { type: "box", side: 2, colour: "red" } };
  assert.equal(parse(body), body);
});

test("allow_ignored_params drops unknown fields, and only those", () => {
  const ignoring = { name: "x", allow_ignored_params: true };
  assert.deepEqual(parse({ ...ignoring, other: 1 }), ignoring);
  assert.deepEqual(
    parse(JSON.parse('{"name":"x","allow_ignored_params":true,"__proto__":1}')),
    ignoring,
  );
  assert.equal(
    refusalOf(() => parse({ ...ignoring, other: 1, count: 0 })),
    "count: 0 is out of range: it must be at least 1",
  );
  assert.equal(
    refusalOf(() => parse({ name: "x", allow_ignored_params: false, other: 1 })),
    "unrecognized request argument supplied: other",
  );
});
