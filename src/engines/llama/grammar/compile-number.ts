// Integers and numbers. Never an exponent and never more than fifteen digits before the point:
// what comes out is a number that every client reads exactly. Bounds are kept exactly.

import type { JsonSchema } from "../../../call/index.ts";
import { compileMultiples } from "./compile-multiples.ts";
import { ceilUnits, decimalsOf, floorUnits } from "./decimal.ts";
import { integerRule, numberRule } from "./json-text.ts";
import { rangeTerms } from "./number-range.ts";
import {
  contradiction,
  type Place,
  readNumber,
  type SchemaContext,
  unsupported,
} from "./schema-context.ts";

const LARGEST = 999_999_999_999_999;
const MOST_DECIMALS = 12;
const USUAL_DECIMALS = 6;

export type Bounds = {
  readonly low: number;
  readonly lowOpen: boolean;
  readonly high: number;
  readonly highOpen: boolean;
  readonly bounded: boolean;
};

export function compileNumber(
  schema: JsonSchema,
  kind: "integer" | "number",
  place: Place,
  context: SchemaContext,
): string {
  const { builder } = context;
  const bounds = readBounds(schema, place);
  const step = readNumber(schema, "multipleOf", place);
  if (step !== undefined && step <= 0) {
    throw contradiction(`${place.path}.multipleOf`, "is not above 0");
  }
  const whole = kind === "integer" || (step !== undefined && Number.isInteger(step));
  if (!whole) return compileDecimals(bounds, step, place, context);

  // Whole numbers are multiples of 0.5, 0.25, 0.1 and their like anyway.
  if (step !== undefined && !Number.isInteger(1 / step)) {
    return compileMultiples(bounds, step, place, builder);
  }
  if (!bounds.bounded) return integerRule(builder);
  const low = ceilUnits(bounds.low, 0, bounds.lowOpen);
  const high = floorUnits(bounds.high, 0, bounds.highOpen);
  const terms = rangeTerms(builder, low, high, 0);
  if (terms.length === 0) throw contradiction(place.path, "its bounds leave out every integer");
  return builder.add("integer", terms.join(" | "));
}

/** A term for each count of decimals, so that 1, 1.5 and 1.50 can all be written. */
function compileDecimals(
  bounds: Bounds,
  step: number | undefined,
  place: Place,
  context: SchemaContext,
): string {
  const { builder } = context;
  let most = USUAL_DECIMALS;
  if (step !== undefined) {
    most = decimalsOf(step);
    if (Number(`1e-${most}`) !== step || most > MOST_DECIMALS) {
      throw unsupported(`${place.path}.multipleOf`, "use a whole number, 0.1, 0.01 and so on");
    }
  } else if (!bounds.bounded) {
    return numberRule(builder);
  } else {
    const needed = Math.max(decimalsOf(bounds.low), decimalsOf(bounds.high)) + 1;
    most = Math.min(Math.max(most, needed), MOST_DECIMALS);
  }
  const terms: string[] = [];
  for (let fraction = 0; fraction <= most; fraction += 1) {
    const low = ceilUnits(bounds.low, fraction, bounds.lowOpen);
    const high = floorUnits(bounds.high, fraction, bounds.highOpen);
    terms.push(...rangeTerms(builder, low, high, fraction));
  }
  if (terms.length === 0) throw contradiction(place.path, "its bounds leave out every number");
  return builder.add("number", terms.join(" | "));
}

/** Draft 4 wrote `exclusiveMinimum: true` beside `minimum`; schema makers still do. */
function readBounds(schema: JsonSchema, place: Place): Bounds {
  const low = readSide(schema, "minimum", "exclusiveMinimum", place);
  const high = readSide(schema, "maximum", "exclusiveMaximum", place);
  for (const [keyword, side] of [
    ["minimum", low],
    ["maximum", high],
  ] as const) {
    if (side === undefined || Math.abs(side.value) <= Number.MAX_SAFE_INTEGER) continue;
    const outward = keyword === "minimum" ? side.value < 0 : side.value > 0;
    if (!outward) throw unsupported(`${place.path}.${keyword}`, "use a smaller bound");
  }
  const lowest = low === undefined || low.value < -LARGEST ? undefined : low;
  const highest = high === undefined || high.value > LARGEST ? undefined : high;
  return {
    low: lowest?.value ?? -farthest(highest?.value),
    lowOpen: lowest?.open ?? false,
    high: highest?.value ?? farthest(lowest?.value),
    highOpen: highest?.open ?? false,
    bounded: lowest !== undefined || highest !== undefined,
  };
}

/** The end of an open side: the usual one, or where the given bound lies beyond it, a safe one. */
const farthest = (bound: number | undefined): number =>
  bound !== undefined && Math.abs(bound) > LARGEST ? Number.MAX_SAFE_INTEGER : LARGEST;

function readSide(schema: JsonSchema, closed: string, open: string, place: Place) {
  const value = readNumber(schema, closed, place);
  const flag = schema[open];
  if (typeof flag === "boolean") return value === undefined ? undefined : { value, open: flag };
  const strict = readNumber(schema, open, place);
  if (strict === undefined) return value === undefined ? undefined : { value, open: false };
  if (value === undefined) return { value: strict, open: true };
  const stricter = closed === "minimum" ? strict >= value : strict <= value;
  return stricter ? { value: strict, open: true } : { value, open: false };
}
