// Two schemas that must both hold as one schema. allOf, a $ref with neighbours and an anyOf
// with neighbours all come down to it. `undefined` says that nothing can fit both.

import type { JsonSchema } from "../../../call/index.ts";
import { isSchemaObject, type Place, unsupported } from "./schema-context.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";
import { intersectTypes, parseTypes } from "./schema-types.ts";

const LARGER = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const SMALLER = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);
const BOTH = (one: unknown, other: unknown): JsonSchema => ({ allOf: [one, other] });

/** Both schemas are flat: without $ref, allOf, oneOf, const and nullable. */
export function mergeSchemas(
  one: JsonSchema,
  other: JsonSchema,
  place: Place,
): JsonSchema | undefined {
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const before = one[keyword];
    const both = before === undefined ? value : mergeKeyword(keyword, before, value, place);
    if (both === undefined) return undefined;
    merged[keyword] = both;
  }
  if (isSchemaObject(one.properties) || isSchemaObject(other.properties)) {
    merged.properties = mergeProperties(one, other);
  }
  if (one.prefixItems !== undefined || other.prefixItems !== undefined) {
    refuseMixedItems(one, other, place);
  }
  return merged;
}

function mergeKeyword(keyword: string, one: unknown, other: unknown, place: Place): unknown {
  if (one === other) return one;
  if (typeof one === "number" && typeof other === "number") {
    if (LARGER.has(keyword)) return Math.max(one, other);
    if (SMALLER.has(keyword)) return Math.min(one, other);
    if (keyword === "multipleOf") return mergeSteps(one, other, place);
  }
  switch (keyword) {
    case "type": {
      const types = intersectTypes(parseTypes(one, place), parseTypes(other, place));
      return types.length === 0 ? undefined : types;
    }
    case "enum":
      return intersectValues(asList(one), asList(other));
    case "required":
      return [...new Set([...asList(one), ...asList(other)])];
    case "properties":
      return one;
    case "additionalProperties":
    case "items":
      if (one === false || other === false) return false;
      if (one === true) return other;
      return other === true ? one : BOTH(one, other);
    case "anyOf":
      return crossBranches(asList(one), asList(other), place);
    default:
      throw unsupported(`${place.path}.allOf`, `its schemas give ${keyword} twice: write one`);
  }
}

/** A member named on one side only still has to fit the other side's free members. */
function mergeProperties(one: JsonSchema, other: JsonSchema): JsonSchema {
  const first = isSchemaObject(one.properties) ? one.properties : {};
  const second = isSchemaObject(other.properties) ? other.properties : {};
  const named = (members: JsonSchema, name: string) => Object.hasOwn(members, name);
  const meet = (schema: unknown, additional: unknown): unknown => {
    if (additional === false) return false;
    return isSchemaObject(additional) ? BOTH(schema, additional) : schema;
  };
  const members = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(first)) {
    const both = named(second, name)
      ? BOTH(schema, second[name])
      : meet(schema, other.additionalProperties);
    members.set(name, both);
  }
  for (const [name, schema] of Object.entries(second)) {
    if (!named(first, name)) members.set(name, meet(schema, one.additionalProperties));
  }
  return Object.fromEntries(members);
}

function mergeSteps(one: number, other: number, place: Place): number {
  if (Number.isInteger(one / other)) return one;
  if (Number.isInteger(other / one)) return other;
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) {
    const common = (one / greatestDivisor(one, other)) * other;
    if (Number.isSafeInteger(common)) return common;
  }
  throw unsupported(`${place.path}.multipleOf`, "write one step instead of two");
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

function intersectValues(one: readonly unknown[], other: readonly unknown[]): unknown {
  const texts = new Set(other.map((value) => JSON.stringify(value)));
  const both = one.filter((value) => texts.has(JSON.stringify(value)));
  return both.length === 0 ? undefined : both;
}

function crossBranches(one: readonly unknown[], other: readonly unknown[], place: Place): unknown {
  if (one.length * other.length > SCHEMA_LIMITS.branches) {
    throw unsupported(
      `${place.path}.anyOf`,
      `its branches multiply to more than ${SCHEMA_LIMITS.branches}`,
    );
  }
  return one.flatMap((left) => other.map((right) => BOTH(left, right)));
}

function refuseMixedItems(one: JsonSchema, other: JsonSchema, place: Place): void {
  const speaks = (schema: JsonSchema) =>
    schema.prefixItems !== undefined || schema.items !== undefined;
  const same = one.prefixItems === other.prefixItems && one.items === other.items;
  if (speaks(one) && speaks(other) && !same) {
    throw unsupported(`${place.path}.allOf`, "its schemas give prefixItems twice: write one");
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
