// Lower and upper bounds of lengths and counts. An upper bound beyond what a grammar can hold is
// lowered, which still fits the schema; a lower one cannot be met and is refused.

import { invalidRequest, type JsonSchema } from "../../../call/index.ts";
import { contradiction, type Place, readCount } from "./schema-context.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";

export type Repetition = { readonly min: number; readonly max: number | null };

export function readRepetition(
  schema: JsonSchema,
  keywords: readonly [min: string, max: string],
  place: Place,
): Repetition {
  const [minKeyword, maxKeyword] = keywords;
  const min = readCount(schema, minKeyword, place) ?? 0;
  const max = readCount(schema, maxKeyword, place);
  const most = SCHEMA_LIMITS.repetitions;
  if (min > most) {
    throw invalidRequest(`${place.path}.${minKeyword}: is ${min}; the most here is ${most}`);
  }
  if (max === undefined) return { min, max: null };
  if (max < min) throw contradiction(`${place.path}.${maxKeyword}`, `is below ${minKeyword}`);
  return { min, max: Math.min(max, most) };
}
