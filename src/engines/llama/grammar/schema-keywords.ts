// Which keywords of JSON Schema a grammar cannot keep. Ignoring them would give values that do
// not fit, so they are refused by name; keywords that nobody knows are ignored, as the standard
// says.

import type { JsonSchema } from "../../../call/index.ts";
import { unsupported } from "./schema-context.ts";

const REFUSED: readonly string[] = [
  "not",
  "if",
  "contains",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "$dynamicRef",
  "$recursiveRef",
];

/** Everything that narrows a schema; the rest is description. */
const NARROWING: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "nullable",
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
]);

export function refuseUnsupported(schema: JsonSchema, path: string): void {
  for (const keyword of REFUSED) {
    if (schema[keyword] !== undefined) throw unsupported(`${path}.${keyword}`);
  }
  if (schema.uniqueItems === true) throw unsupported(`${path}.uniqueItems`);
  const { patternProperties } = schema;
  if (typeof patternProperties === "object" && patternProperties !== null) {
    if (Object.keys(patternProperties).length > 0) throw unsupported(`${path}.patternProperties`);
  }
}

/** The schema without its descriptions. */
export function onlyNarrowing(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => NARROWING.has(key) && value !== undefined),
  );
}
