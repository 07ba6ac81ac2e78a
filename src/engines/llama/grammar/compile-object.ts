// Objects: named members in the order of the schema, each optional one there or not, then free
// members where the schema gives them a shape. What it does not mention is not written.

import { invalidRequest, type JsonSchema } from "../../../call/index.ts";
import { quoteLiteral } from "./gbnf-text.ts";
import { COLON, COMMA, NOT_BARE, objectRule, stringRule } from "./json-text.ts";
import { noneOfTexts } from "./literal-trie.ts";
import {
  contradiction,
  isSchemaObject,
  type Place,
  readCount,
  type SchemaContext,
  unsupported,
  within,
} from "./schema-context.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";

type Member = { readonly term: string; readonly required: boolean };

export function compileObject(schema: JsonSchema, place: Place, context: SchemaContext): string {
  const { builder } = context;
  const required = readRequired(schema, place);
  const named = readProperties(schema, required, place);
  const extra = schema.additionalProperties;
  const min = readCount(schema, "minProperties", place) ?? 0;
  const max = readCount(schema, "maxProperties", place);
  const shaped = isSchemaObject(extra);
  // No arguments at all is written `properties: {}`, which must not invite invented ones.
  const free = schema.properties === undefined || (extra !== undefined && extra !== false);
  if (named.size === 0 && free && extra !== false) {
    if (!shaped && min === 0 && max === undefined) return objectRule(builder);
    return compileMap(shaped ? extra : true, min, max, place, context);
  }
  if (min > required.size) throw unsupported(`${place.path}.minProperties`, "use required");
  if (max !== undefined && (max < named.size || shaped)) {
    throw unsupported(`${place.path}.maxProperties`);
  }
  const members: Member[] = [];
  for (const [name, inner] of named) {
    const value = context.compileInside(inner, within(place, "properties", name));
    const term = builder.add("member", `${writeKey(name)} ${COLON} ${value}`);
    members.push({ term, required: required.has(name) });
  }
  const others = shaped
    ? compilePair(noneOfKeys(named, context), extra, place, context)
    : undefined;
  const body = compileMembers(members, others, context);
  return builder.add("object", body === "" ? '"{}"' : `"{" ${body} "}"`);
}

const writeKey = (name: string): string => quoteLiteral(JSON.stringify(name));

/** `rest` is what may follow once a member stands, `first` what may while none does. */
function compileMembers(
  members: readonly Member[],
  free: string | undefined,
  { builder }: SchemaContext,
): string {
  let rest = free === undefined ? "" : `(${COMMA} ${free})*`;
  let first = free === undefined ? "" : `(${free} ${rest})?`;
  for (const { term, required } of members.toReversed()) {
    const here = `${term} ${rest}`.trimEnd();
    const onwards = `${COMMA} ${here}`;
    if (required) {
      first = builder.add("first", here);
      rest = builder.add("rest", onwards);
    } else {
      first = builder.add("first", first === "" ? `(${here})?` : `${here} | ${first}`);
      rest = builder.add("rest", rest === "" ? `(${onwards})?` : `${onwards} | ${rest}`);
    }
  }
  return first;
}

/** An object of free keys. Keys may repeat, so a least count above one cannot be kept. */
function compileMap(
  value: unknown,
  min: number,
  max: number | undefined,
  place: Place,
  context: SchemaContext,
): string {
  const { builder } = context;
  if (min > 1) throw unsupported(`${place.path}.minProperties`, "use required");
  if (max === 0) return '"{}"';
  const pair = compilePair(stringRule(builder, 1, 128), value, place, context);
  const next = builder.add("next", `${COMMA} ${pair}`);
  const most = max === undefined ? null : Math.min(max, SCHEMA_LIMITS.repetitions) - 1;
  const body = `${pair} ${builder.repeat(next, 0, most)}`;
  return builder.add("object", min === 0 ? `"{" (${body})? "}"` : `"{" ${body} "}"`);
}

function compilePair(key: string, value: unknown, place: Place, context: SchemaContext): string {
  const inner = context.compileInside(value, within(place, "additionalProperties"));
  return context.builder.add("member", `${key} ${COLON} ${inner}`);
}

/** Keys that need escapes are left out of the free ones, so none can spell a named member. */
function noneOfKeys(named: ReadonlyMap<string, unknown>, { builder }: SchemaContext): string {
  const bare = [...named.keys()].filter((name) => JSON.stringify(name) === `"${name}"`);
  return builder.add("key", `"\\"" ${noneOfTexts(builder, bare, NOT_BARE)} "\\""`);
}

function readRequired(schema: JsonSchema, place: Place): ReadonlySet<string> {
  const { required } = schema;
  // Draft 3 wrote `required: true` on the member itself; generators still leave it behind.
  if (required === undefined || typeof required === "boolean") return new Set();
  if (!Array.isArray(required) || !required.every((name) => typeof name === "string")) {
    throw invalidRequest(`${place.path}.required: must be a list of names`);
  }
  return new Set(required);
}

function readProperties(
  schema: JsonSchema,
  required: ReadonlySet<string>,
  place: Place,
): ReadonlyMap<string, unknown> {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && !isSchemaObject(properties)) {
    throw invalidRequest(`${place.path}.properties: must be an object`);
  }
  const named = new Map<string, unknown>();
  for (const [name, inner] of Object.entries(properties ?? {})) {
    // `false` says that the member must not be there.
    if (inner !== false) named.set(name, inner);
    else if (required.has(name)) throw contradiction(`${place.path}.required`, `wants "${name}"`);
  }
  for (const name of required) {
    if (named.has(name)) continue;
    if (additionalProperties === false) {
      throw contradiction(`${place.path}.required`, `wants "${name}", which is not allowed`);
    }
    named.set(name, additionalProperties ?? true);
  }
  if (named.size > SCHEMA_LIMITS.properties) {
    throw invalidRequest(
      `${place.path}.properties: has ${named.size} members; the most is ${SCHEMA_LIMITS.properties}`,
    );
  }
  return named;
}
