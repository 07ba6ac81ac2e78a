// A JSON schema as a term of a grammar. A schema met again while it is being compiled is a
// recursion: it becomes a rule that mentions itself, unless nothing stands between the two,
// which would never end.

import { invalidRequest, type JsonSchema } from "../../../call/index.ts";
import { compileArray } from "./compile-array.ts";
import { compileNumber } from "./compile-number.ts";
import { compileObject } from "./compile-object.ts";
import { compileString } from "./compile-string.ts";
import { flattenSchema } from "./flatten-schema.ts";
import type { GrammarBuilder } from "./grammar-builder.ts";
import { booleanRule, valueRule } from "./json-text.ts";
import { oneOfTexts } from "./literal-trie.ts";
import { resolveReference } from "./resolve-reference.ts";
import {
  contradiction,
  isSchemaObject,
  type Place,
  type SchemaContext,
  within,
} from "./schema-context.ts";
import { onlyNarrowing } from "./schema-keywords.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";
import { type JsonType, readTypes, typeFits } from "./schema-types.ts";

/** `rule` is taken when the schema is met again before its `term` is known. */
type Compiled = { term?: string; rule?: string };

/** `path` is how the caller knows the schema; it begins every message about it. */
export function compileSchema(builder: GrammarBuilder, root: unknown, path: string): string {
  const seen = new Map<object, Compiled>();
  let count = 0;

  /** References count as schemas: a few lines of them can stand for billions. */
  const resolve = (reference: unknown, place: Place) => {
    countSchema();
    return resolveReference(root, reference, `${place.path}.$ref`);
  };

  function countSchema(): void {
    count += 1;
    if (count > SCHEMA_LIMITS.schemas) {
      throw invalidRequest(`${path}: holds more than ${SCHEMA_LIMITS.schemas} schemas`);
    }
  }

  const context: SchemaContext = {
    builder,
    compileInside: (schema, place) => compile(schema, place, new Set()),
  };

  /** `open`: the schemas that began at this very character. */
  function compile(schema: unknown, place: Place, open: ReadonlySet<object>): string {
    countSchema();
    if (place.depth > SCHEMA_LIMITS.depth) {
      throw invalidRequest(`${place.path}: lies deeper than ${SCHEMA_LIMITS.depth} levels`);
    }
    if (!isSchemaObject(schema)) return compileFlat(schema, place, open);
    if (open.has(schema)) {
      throw invalidRequest(`${place.path}: refers to itself with nothing in between`);
    }
    const known = seen.get(schema);
    if (known !== undefined) {
      if (known.term !== undefined) return known.term;
      known.rule ??= builder.reserve("ref");
      return known.rule;
    }
    const entry: Compiled = {};
    seen.set(schema, entry);
    entry.term = compileFlat(schema, place, new Set([...open, schema]));
    if (entry.rule !== undefined) {
      builder.define(entry.rule, entry.term);
      entry.term = entry.rule;
    }
    return entry.term;
  }

  function compileFlat(schema: unknown, place: Place, open: ReadonlySet<object>): string {
    if (isSchemaObject(schema)) {
      const { $ref, ...others } = onlyNarrowing(schema);
      if ($ref !== undefined && Object.keys(others).length === 0) {
        return compile(resolve($ref, place), { ...place, depth: place.depth + 1 }, open);
      }
    }
    const flat = flattenSchema(schema, place, resolve);
    if (flat === undefined) throw contradiction(place.path, "its parts exclude each other");
    if (Array.isArray(flat.anyOf)) return compileBranches(flat, flat.anyOf, place, open);
    const types = readTypes(flat, place);
    if (flat.enum !== undefined) return compileValues(flat, types, place);
    if (types === undefined) return valueRule(builder);
    const terms = types.map((type) => compileType(flat, type, place));
    const [only] = terms;
    return terms.length === 1 && only !== undefined
      ? only
      : builder.add("any-of", terms.join(" | "));
  }

  function compileBranches(
    flat: JsonSchema,
    branches: readonly unknown[],
    place: Place,
    open: ReadonlySet<object>,
  ): string {
    const { anyOf: _, ...base } = flat;
    const alone = Object.keys(base).length === 0;
    const terms = new Set<string>();
    for (const [index, branch] of branches.entries()) {
      const inner = within(place, "anyOf", index);
      const both = alone ? branch : { allOf: [base, branch] };
      // A branch that excludes what stands beside it is no choice; the others are.
      if (flattenSchema(both, inner, resolve) === undefined) continue;
      terms.add(compile(both, inner, open));
    }
    if (terms.size === 0) throw contradiction(`${place.path}.anyOf`, "no branch can be met");
    return builder.add("any-of", [...terms].join(" | "));
  }

  function compileValues(
    flat: JsonSchema,
    types: readonly JsonType[] | undefined,
    place: Place,
  ): string {
    const values = flat.enum;
    if (!Array.isArray(values)) throw invalidRequest(`${place.path}.enum: must be a list`);
    if (values.length > SCHEMA_LIMITS.enumValues) {
      throw invalidRequest(
        `${place.path}.enum: has ${values.length} values; the most is ${SCHEMA_LIMITS.enumValues}`,
      );
    }
    const fitting = types === undefined ? values : values.filter((one) => typeFits(one, types));
    if (fitting.length === 0) throw contradiction(`${place.path}.enum`, "holds no value that fits");
    return oneOfTexts(
      builder,
      fitting.map((value) => JSON.stringify(value)),
    );
  }

  function compileType(flat: JsonSchema, type: JsonType, place: Place): string {
    switch (type) {
      case "object":
        return compileObject(flat, place, context);
      case "array":
        return compileArray(flat, place, context);
      case "string":
        return compileString(flat, place, context);
      case "integer":
      case "number":
        return compileNumber(flat, type, place, context);
      case "boolean":
        return booleanRule(builder);
      case "null":
        return '"null"';
    }
  }

  return compile(root, { path, depth: 0 }, new Set());
}
