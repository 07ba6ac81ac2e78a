// A schema in a few words a small model can follow: the notation of TypeScript, which it has
// seen more often than JSON Schema, and a tenth of its length.

import { isRecord } from "./is-record.ts";

const DEEPEST = 5;
const MOST_VALUES = 24;

export function describeSchema(schema: unknown, root: unknown = schema, depth = 0): string {
  if (!isRecord(schema)) return "any";
  if (depth > DEEPEST) return "any";
  const { $ref, enum: values, anyOf, oneOf, allOf, type, nullable } = schema;
  if (typeof $ref === "string") return describeSchema(follow(root, $ref), root, depth + 1);
  if (Object.hasOwn(schema, "const")) return JSON.stringify(schema.const);
  if (Array.isArray(values)) return describeValues(values);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return join(choices, " | ", root, depth);
  if (Array.isArray(allOf) && type === undefined) return join(allOf, " & ", root, depth);
  const types = Array.isArray(type) ? type : [type];
  const words = types.map((one) => describeType(schema, one, root, depth));
  if (nullable === true) words.push("null");
  return [...new Set(words)].join(" | ");
}

function describeType(
  schema: Readonly<Record<string, unknown>>,
  type: unknown,
  root: unknown,
  depth: number,
): string {
  if (type === "object" || (type === undefined && isRecord(schema.properties))) {
    return describeObject(schema, root, depth);
  }
  if (type === "array") {
    const item = describeSchema(schema.items, root, depth + 1);
    return /[ |&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (type === "string" && typeof schema.format === "string") return `string (${schema.format})`;
  return typeof type === "string" ? type : "any";
}

function describeObject(
  schema: Readonly<Record<string, unknown>>,
  root: unknown,
  depth: number,
): string {
  const { properties, required, additionalProperties } = schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(isRecord(properties) ? properties : {}).map(
    ([name, inner]) =>
      `${name}${names.includes(name) ? "" : "?"}: ${describeSchema(inner, root, depth + 1)}`,
  );
  if (isRecord(additionalProperties)) {
    members.push(`[key]: ${describeSchema(additionalProperties, root, depth + 1)}`);
  }
  if (members.length > 0) return `{${members.join(", ")}}`;
  return properties === undefined ? "object" : "{}";
}

function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  if (values.length > MOST_VALUES) shown.push("…");
  return shown.join(" | ");
}

const join = (schemas: readonly unknown[], sign: string, root: unknown, depth: number): string =>
  schemas
    .slice(0, MOST_VALUES)
    .map((one) => describeSchema(one, root, depth + 1))
    .join(sign);

function follow(root: unknown, reference: string): unknown {
  let target = root;
  for (const step of reference.split("/").slice(1)) {
    target = isRecord(target) && Object.hasOwn(target, step) ? target[step] : undefined;
  }
  return target;
}
