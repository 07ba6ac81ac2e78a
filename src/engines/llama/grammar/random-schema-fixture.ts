// Test support: schemas as people write them, at random, each one satisfiable.

import fc from "fast-check";

const name = fc.constantFrom(
  "id",
  "name",
  "naïve",
  "n",
  "na",
  'qu"ote',
  "a b",
  "x-1",
  "tags",
  "日本",
);

const text = fc.oneof(
  fc.record({ type: fc.constant("string") }),
  fc
    .record({ min: fc.nat(5), more: fc.nat(600) })
    .map(({ min, more }) => ({ type: "string", minLength: min, maxLength: min + more })),
  fc.record({
    type: fc.constant("string"),
    format: fc.constantFrom("date", "date-time", "time", "uuid", "email", "ipv4", "uri"),
  }),
  fc.record({
    type: fc.constant("string"),
    pattern: fc.constantFrom(
      "^[A-Z]{2,4}-\\d+$",
      "^(a|b*)*c?$",
      "@",
      "^\\w+\\s?\\w*",
      "x$|^y",
      '^["\\\\]+$',
      "^[^a-z]{3}$",
      "^(?:red|green|blue)$",
      "^\\+?[1-9]\\d{1,14}$",
      "^.{2,5}$",
    ),
  }),
);

const bound = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }),
  fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
);

const integer = fc.oneof(
  fc.record({ type: fc.constant("integer") }),
  fc
    .record({ low: bound, more: fc.oneof(fc.nat(20), fc.nat(100_000)) })
    .map(({ low, more }) => ({ type: "integer", minimum: low, maximum: low + more })),
  bound.map((low) => ({ type: "integer", exclusiveMinimum: low })),
  bound.map((high) => ({ type: "integer", maximum: high })),
  fc.constantFrom(2, 3, 7, 10, 100).map((step) => ({ type: "integer", multipleOf: step })),
  fc.constantFrom(5, 60).map((step) => ({ type: "integer", minimum: 0, multipleOf: step })),
);

const decimal = fc
  .record({
    cents: fc.integer({ min: -50_000, max: 50_000 }),
    more: fc.integer({ min: 1, max: 9000 }),
  })
  .chain(({ cents, more }) => {
    const low = cents / 100;
    const high = (cents + more) / 100;
    return fc.constantFrom(
      { type: "number" },
      { type: "number", minimum: low, maximum: high },
      { type: "number", exclusiveMinimum: low, exclusiveMaximum: high },
      { type: "number", minimum: low },
      { type: "number", maximum: low, multipleOf: 0.01 },
    );
  });

const values = fc
  .uniqueArray(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 12 })
  .map((list) => ({ enum: JSON.parse(JSON.stringify(list)) }));

export const randomSchema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    text,
    integer,
    decimal,
    values,
    fc.constantFrom({ type: "boolean" }, { type: "null" }, {}, { const: { a: [1, "x"] } }),
    fc.record({ type: fc.constant(["string", "null"]), maxLength: fc.nat(9) }),
    tie("object"),
    tie("object"),
    tie("array"),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant("object"), allOf: fc.tuple(tie("plain"), tie("open")) }),
  ),
  open: fc.record({
    type: fc.constant("object"),
    properties: fc.constant({ extra: { type: "boolean" } }),
    required: fc.constant(["extra"]),
  }),
  plain: fc
    .uniqueArray(fc.record({ name, schema: tie("schema"), required: fc.boolean() }), {
      selector: (member) => member.name,
      maxLength: 6,
    })
    .map((members) => ({
      type: "object",
      properties: Object.fromEntries(members.map((member) => [member.name, member.schema])),
      required: members.filter((member) => member.required).map((member) => member.name),
    })),
  object: fc.oneof(
    tie("plain"),
    fc
      .tuple(tie("plain"), tie("schema"))
      .map(([object, extra]) => Object.assign({ additionalProperties: extra }, object)),
  ),
  array: fc
    .record({
      items: tie("schema"),
      min: fc.nat(3),
      more: fc.option(fc.nat(400), { nil: undefined }),
      prefix: fc.array(tie("schema"), { maxLength: 2 }),
    })
    .map(({ items, min, more, prefix }) => ({
      type: "array",
      items,
      minItems: min,
      ...(more === undefined ? {} : { maxItems: min + more }),
      ...(prefix.length === 0 ? {} : { prefixItems: prefix }),
    })),
})).schema;
