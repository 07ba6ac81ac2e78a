// Which of JSON's types a schema allows. One that names none allows those that its other
// keywords speak about: stricter than the standard, and what its author meant.

import { invalidRequest, type JsonSchema } from "../../../call/index.ts";
import type { Place } from "./schema-context.ts";

export const TYPES = ["object", "array", "string", "integer", "number", "boolean", "null"] as const;
export type JsonType = (typeof TYPES)[number];

const SPOKEN_OF: readonly (readonly [keywords: readonly string[], type: JsonType])[] = [
  [["properties", "required", "additionalProperties", "minProperties", "maxProperties"], "object"],
  [["items", "prefixItems", "additionalItems", "minItems", "maxItems"], "array"],
  [["minLength", "maxLength", "pattern", "format"], "string"],
  [["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"],
];

/** The types, or undefined where the schema says nothing at all. */
export function readTypes(schema: JsonSchema, place: Place): readonly JsonType[] | undefined {
  const { type } = schema;
  if (type !== undefined) return parseTypes(type, place);
  const types = SPOKEN_OF.filter(([keywords]) =>
    keywords.some((keyword) => schema[keyword] !== undefined),
  ).map(([, spokenOf]) => spokenOf);
  return types.length === 0 ? undefined : types;
}

export function parseTypes(type: unknown, place: Place): readonly JsonType[] {
  const names = Array.isArray(type) ? type : [type];
  const types = names.map((name) => {
    const known = TYPES.find((one) => one === name);
    if (known === undefined) {
      throw invalidRequest(`${place.path}.type: must be one of ${TYPES.join(", ")}`);
    }
    return known;
  });
  if (types.length === 0) throw invalidRequest(`${place.path}.type: must not be empty`);
  return types.includes("number") ? types.filter((one) => one !== "integer") : types;
}

/** The types that both lists allow; an integer is a number. */
export function intersectTypes(
  one: readonly JsonType[],
  other: readonly JsonType[],
): readonly JsonType[] {
  const has = (types: readonly JsonType[], type: JsonType) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return TYPES.filter((type) => has(one, type) && has(other, type)).filter(
    (type, _, both) => type !== "integer" || !both.includes("number"),
  );
}

export function typeFits(value: unknown, types: readonly JsonType[]): boolean {
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number") {
    return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
  }
  return types.some((type) => type === typeof value);
}
