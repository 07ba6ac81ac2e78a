// One schema without indirection: references followed, allOf merged in, const and nullable
// written as what they mean. anyOf is left, since a choice cannot be merged away.

import { invalidRequest, type JsonSchema } from "../../../call/index.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { isSchemaObject, type Place, unsupported, within } from "./schema-context.ts";
import { onlyNarrowing, refuseUnsupported } from "./schema-keywords.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";

const MOST_INDIRECTION = 32;

/** `undefined` where nothing can fit. `resolve` answers what a reference points to. */
export function flattenSchema(
  schema: unknown,
  place: Place,
  resolve: (reference: unknown, place: Place) => unknown,
  depth = 0,
): JsonSchema | undefined {
  if (schema === true) return {};
  if (schema === false) return undefined;
  if (!isSchemaObject(schema)) throw invalidRequest(`${place.path}: must be a schema object`);
  if (depth > MOST_INDIRECTION) {
    throw invalidRequest(`${place.path}: $ref and allOf lead through too many schemas`);
  }
  refuseUnsupported(schema, place.path);
  const { $ref, allOf, oneOf, const: value, nullable, ...own } = onlyNarrowing(schema);
  let flat: JsonSchema | undefined = own;
  if (own.anyOf !== undefined) flat = { ...own, anyOf: readBranches(own.anyOf, "anyOf", place) };

  const add = (other: JsonSchema | undefined) => {
    flat = flat === undefined || other === undefined ? undefined : mergeSchemas(flat, other, place);
  };
  if (oneOf !== undefined) add({ anyOf: readBranches(oneOf, "oneOf", place) });
  if (Object.hasOwn(schema, "const")) add({ enum: [value] });
  if (nullable === true) flat = allowNull(flat);
  if ($ref !== undefined) {
    add(flattenSchema(resolve($ref, place), place, resolve, depth + 1));
  }
  if (allOf !== undefined) {
    if (!Array.isArray(allOf)) throw invalidRequest(`${place.path}.allOf: must be a list`);
    if (allOf.length > SCHEMA_LIMITS.branches) throw unsupported(`${place.path}.allOf`);
    for (const [index, part] of allOf.entries()) {
      add(flattenSchema(part, within(place, "allOf", index), resolve, depth + 1));
    }
  }
  return flat;
}

function readBranches(value: unknown, keyword: string, place: Place): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidRequest(`${place.path}.${keyword}: must be a list of schemas, not empty`);
  }
  if (value.length > SCHEMA_LIMITS.branches) {
    throw invalidRequest(
      `${place.path}.${keyword}: has ${value.length} branches; the most is ${SCHEMA_LIMITS.branches}`,
    );
  }
  return value;
}

/** OpenAPI's way to say "or null". */
function allowNull(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined || schema.type === undefined) return schema;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...values, type: [...new Set([...types, "null"])] };
}
