// Strings: by length, by pattern or by format. Of pattern and format the pattern is kept, since
// a format is advice where the schema says nothing else.

import { invalidRequest, type JsonSchema } from "../../../call/index.ts";
import { compilePattern } from "./compile-pattern.ts";
import { stringRule } from "./json-text.ts";
import { readRepetition } from "./read-repetition.ts";
import type { Place, SchemaContext } from "./schema-context.ts";
import { patternOfFormat } from "./string-formats.ts";

export function compileString(schema: JsonSchema, place: Place, context: SchemaContext): string {
  const { builder } = context;
  const { pattern, format } = schema;
  const lengths = readRepetition(schema, ["minLength", "maxLength"], place);
  if (pattern !== undefined && typeof pattern !== "string") {
    throw invalidRequest(`${place.path}.pattern: must be a string`);
  }
  const keyword = pattern === undefined ? "format" : "pattern";
  const source = pattern ?? patternOfFormat(format);
  if (source === undefined) return stringRule(builder, lengths.min, lengths.max);
  const inside = compilePattern(builder, source, lengths, `${place.path}.${keyword}`);
  return builder.add("string", `"\\"" ${inside} "\\""`);
}
