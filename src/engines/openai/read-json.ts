// Upstream JSON is foreign: a field may be absent, null or of another type. These readers
// are the only way in; whatever does not fit reads as undefined.

export type JsonRecord = { readonly [key: string]: unknown };

// The one cast of this folder: TypeScript has no type for "an object, keys unknown".
export const asRecord = (value: unknown): JsonRecord | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : undefined;

export const asArray = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : undefined;

/** Undefined for the empty string too: upstreams send "" where they mean nothing. */
export const asText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const asCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
