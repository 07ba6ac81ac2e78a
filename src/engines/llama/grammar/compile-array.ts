// Arrays: a fixed beginning where the schema has one, then any number of items within the
// bounds.

import type { JsonSchema } from "../../../call/index.ts";
import { arrayRule, COMMA } from "./json-text.ts";
import { readRepetition } from "./read-repetition.ts";
import { contradiction, type Place, type SchemaContext, within } from "./schema-context.ts";

export function compileArray(schema: JsonSchema, place: Place, context: SchemaContext): string {
  const { builder } = context;
  const { min, max } = readRepetition(schema, ["minItems", "maxItems"], place);
  const { prefix, prefixKeyword, rest, restKeyword } = readShape(schema);
  if (max === 0) return '"[]"';
  if (prefix.length === 0 && min === 0 && max === null && (rest === undefined || rest === true)) {
    return arrayRule(builder);
  }
  const fixed = prefix
    .slice(0, max ?? prefix.length)
    .map((item, index) => context.compileInside(item, within(place, prefixKeyword, index)));
  const open = rest !== false && (max === null || max > fixed.length);
  if (!open && min > fixed.length) {
    throw contradiction(`${place.path}.minItems`, "is more than the items that are allowed");
  }
  const item = open ? context.compileInside(rest ?? true, within(place, restKeyword)) : undefined;
  if (item !== undefined && fixed.length === 0) {
    return compileList(item, min, max, context);
  }
  const body = compileFixed(fixed, item, min, max, context);
  return builder.add("array", min === 0 ? `"[" (${body})? "]"` : `"[" ${body} "]"`);
}

function compileList(
  item: string,
  min: number,
  max: number | null,
  { builder }: SchemaContext,
): string {
  const next = builder.add("next", `${COMMA} ${item}`);
  const more = builder.repeat(next, Math.max(0, min - 1), max === null ? null : max - 1);
  const list = `${item} ${more}`;
  return builder.add("array", min === 0 ? `"[" (${list})? "]"` : `"[" ${list} "]"`);
}

/** Each item beyond the least is optional, and so is everything after it. */
function compileFixed(
  fixed: readonly string[],
  item: string | undefined,
  min: number,
  max: number | null,
  { builder }: SchemaContext,
): string {
  let tail = "";
  if (item !== undefined) {
    const next = builder.add("next", `${COMMA} ${item}`);
    const least = Math.max(0, min - fixed.length);
    tail = builder.repeat(next, least, max === null ? null : max - fixed.length);
  }
  for (let index = fixed.length - 1; index > 0; index -= 1) {
    const body = builder.add("items", `${COMMA} ${fixed[index]} ${tail}`.trimEnd());
    tail = index < min ? body : `${body}?`;
  }
  return `${fixed[0]} ${tail}`.trimEnd();
}

/** Before 2020 a list under `items` was the beginning, and `additionalItems` the rest. */
function readShape(schema: JsonSchema) {
  const { prefixItems, items, additionalItems } = schema;
  if (Array.isArray(items)) {
    return {
      prefix: items,
      prefixKeyword: "items",
      rest: additionalItems,
      restKeyword: "additionalItems",
    };
  }
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  return { prefix, prefixKeyword: "prefixItems", rest: items, restKeyword: "items" };
}
