// Says in one sentence why a value does not fit a schema. TypeBox finds the fault of a single
// field; what it cannot know is which alternative of a union the caller meant, so the way
// down to that field is walked here. Runs only for a body that was refused.

import { Compile, type Validator } from "typebox/compile";
import { choicesOf, isOfType, type SchemaKeywords } from "./schema-keywords.ts";
import { joinPath, showName } from "./show-value.ts";
import { notOfType, notOneOf, wordFault } from "./word-fault.ts";

const MOST_NAMES = 8;

const validators = new WeakMap<SchemaKeywords, Validator>();

/** Compiled, since the search for one bad message may pass a hundred thousand good ones. */
function validatorOf(schema: SchemaKeywords): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

const fits = (schema: SchemaKeywords, value: unknown): boolean => validatorOf(schema).Check(value);

/** The value is known not to fit. `path` is "" for the body itself. */
export function explainMismatch(schema: SchemaKeywords, value: unknown, path: string): string {
  if (schema.anyOf !== undefined) return explainUnion(alternativesOf(schema), value, path);
  return explainInside(schema, value, path) ?? explainItself(schema, value, path);
}

function explainItself(schema: SchemaKeywords, value: unknown, path: string): string {
  const [fault] = validatorOf(schema).Errors(value);
  return `${path || "body"}: ${wordFault(schema, value, fault)}`;
}

function explainInside(schema: SchemaKeywords, value: unknown, path: string): string | undefined {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    if (items === undefined) return undefined;
    const index = value.findIndex((item) => !fits(items, item));
    return index < 0 ? undefined : explainMismatch(items, value[index], joinPath(path, index));
  }
  if (typeof value !== "object" || value === null || properties === undefined) return undefined;
  const held = new Map(Object.entries(value));
  return (
    explainUnknown(schema, properties, held, path) ??
    explainMissing(schema, held, path) ??
    explainField(properties, held, path)
  );
}

type Fields = ReadonlyMap<string, unknown>;

function explainUnknown(
  schema: SchemaKeywords,
  properties: object,
  held: Fields,
  path: string,
): string | undefined {
  if (schema.additionalProperties !== false) return undefined;
  const names = [...held.keys()].filter((name) => !Object.hasOwn(properties, name));
  if (names.length === 0) return undefined;
  const prefix = path === "" ? "" : `${path}.`;
  const shown = names.slice(0, MOST_NAMES).map((name) => prefix + showName(name));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const plural = names.length > 1 ? "s" : "";
  return `unrecognized request argument${plural} supplied: ${shown.join(", ")}${more}`;
}

function explainMissing(schema: SchemaKeywords, held: Fields, path: string): string | undefined {
  const missing = schema.required?.find((name) => held.get(name) === undefined);
  return missing === undefined ? undefined : `${joinPath(path, missing)}: is required`;
}

function explainField(
  properties: NonNullable<SchemaKeywords["properties"]>,
  held: Fields,
  path: string,
): string | undefined {
  for (const [name, schema] of Object.entries(properties)) {
    const value = held.get(name);
    if (value !== undefined && !fits(schema, value)) {
      return explainMismatch(schema, value, joinPath(path, name));
    }
  }
  return undefined;
}

/** Null stands for an absent field: to offer it as an alternative would help nobody. */
const alternativesOf = (schema: SchemaKeywords): readonly SchemaKeywords[] =>
  schema.anyOf === undefined
    ? [schema]
    : schema.anyOf.flatMap(alternativesOf).filter(({ type }) => type !== "null");

function explainUnion(
  alternatives: readonly SchemaKeywords[],
  value: unknown,
  path: string,
): string {
  const near = alternatives.filter((alternative) => isOfType(alternative, value));
  const [nearest] = near;
  if (nearest === undefined) return `${path || "body"}: ${notOfType(alternatives, value)}`;
  if (near.length === 1) return explainMismatch(nearest, value, path);
  if (near.every((alternative) => choicesOf(alternative).length > 0)) {
    return `${path || "body"}: ${notOneOf(near.flatMap(choicesOf), value)}`;
  }
  return explainByMark(near, nearest, value, path);
}

/** Objects are told apart by a field that is constant in each: `role`, `type`. */
function explainByMark(
  objects: readonly SchemaKeywords[],
  first: SchemaKeywords,
  value: unknown,
  path: string,
): string {
  const mark = Object.keys(first.properties ?? {}).find((name) =>
    objects.every(({ properties }) => choicesOf(properties?.[name]).length > 0),
  );
  if (mark === undefined) return explainMismatch(first, value, path);
  const held = new Map(Object.entries(value ?? {})).get(mark);
  const place = joinPath(path, mark);
  if (held === undefined) return `${place}: is required`;
  const choices = (object: SchemaKeywords): readonly unknown[] =>
    choicesOf(object.properties?.[mark]);
  const meant = objects.find((object) => choices(object).includes(held));
  return meant === undefined
    ? `${place}: ${notOneOf(objects.flatMap(choices), held)}`
    : explainMismatch(meant, value, path);
}
