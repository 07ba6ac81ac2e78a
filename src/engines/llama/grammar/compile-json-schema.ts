// The whole grammars: for a value that fits a schema, and for any JSON object.

import { compileSchema } from "./compile-schema.ts";
import { GrammarBuilder } from "./grammar-builder.ts";
import { objectRule } from "./json-text.ts";

/** `path` is how the caller knows the schema; it begins every message about it. */
export function compileJsonSchema(schema: unknown, path = "schema"): string {
  const builder = new GrammarBuilder();
  return builder.build(compileSchema(builder, schema, path));
}

export function compileJsonObject(): string {
  const builder = new GrammarBuilder();
  return builder.build(objectRule(builder));
}
