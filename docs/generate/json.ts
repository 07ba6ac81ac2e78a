// JSON as the generated files hold it, and a TypeBox schema as the plain JSON Schema it is.

import type { TSchema } from "typebox";

export type JsonObject = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object where one must be: anything else would be a fault of the schema it came from. */
export function asObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

export const plainSchema = (schema: TSchema): JsonObject =>
  asObject(JSON.parse(JSON.stringify(schema)));

export const writeJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
