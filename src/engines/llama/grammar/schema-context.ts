// What the compilers of the single types share: the grammar under construction, the way back
// to the whole, and the one wording of a refusal.

import { invalidRequest, type JsonSchema, type ServiceError } from "../../../call/index.ts";
import type { GrammarBuilder } from "./grammar-builder.ts";

/** Where in the schema we are: its path as a caller reads it, and how deep it lies. */
export type Place = { readonly path: string; readonly depth: number };

export type SchemaContext = {
  readonly builder: GrammarBuilder;
  /** A schema that begins after at least one character was written: recursion is safe there. */
  compileInside(schema: unknown, place: Place): string;
};

export const within = (place: Place, ...steps: readonly (string | number)[]): Place => {
  let { path } = place;
  for (const step of steps) path += typeof step === "number" ? `[${step}]` : `.${step}`;
  return { path, depth: place.depth + 1 };
};

export const unsupported = (path: string, advice = "leave it out"): ServiceError =>
  invalidRequest(`${path}: is not supported by local models; ${advice}`);

export const contradiction = (path: string, what: string): ServiceError =>
  invalidRequest(`${path}: ${what}, so no value can fit it`);

export const isSchemaObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A count such as minItems: absent, or a whole number from 0. */
export function readCount(schema: JsonSchema, keyword: string, place: Place): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw invalidRequest(`${place.path}.${keyword}: must be a whole number from 0`);
}

export function readNumber(schema: JsonSchema, keyword: string, place: Place): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw invalidRequest(`${place.path}.${keyword}: must be a number`);
}
