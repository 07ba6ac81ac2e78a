// Whole numbers that are multiples of a step. Powers of ten are a matter of zeros and short
// ranges are listed; small steps over wide ranges become an automaton over remainders.

import type { Bounds } from "./compile-number.ts";
import { ceilUnits, floorUnits } from "./decimal.ts";
import type { GrammarBuilder } from "./grammar-builder.ts";
import { oneOfTexts } from "./literal-trie.ts";
import { rangeTerms } from "./number-range.ts";
import { contradiction, type Place, unsupported } from "./schema-context.ts";

const MOST_LISTED = 500n;
const LARGEST_STEP = 64;
const AUTOMATON_DIGITS = 9;

export function compileMultiples(
  bounds: Bounds,
  step: number,
  place: Place,
  builder: GrammarBuilder,
): string {
  const path = `${place.path}.multipleOf`;
  if (!Number.isSafeInteger(step)) throw unsupported(path, "use a whole number");
  const size = BigInt(step);
  const low = ceilUnits(bounds.low, 0, bounds.lowOpen);
  const high = floorUnits(bounds.high, 0, bounds.highOpen);
  const first = divideUp(low, size);
  const last = -divideUp(-high, size);
  if (first > last)
    throw contradiction(place.path, `its bounds leave out every multiple of ${step}`);
  if (last - first < MOST_LISTED) {
    const texts: string[] = [];
    for (let factor = first; factor <= last; factor += 1n) texts.push((factor * size).toString());
    return oneOfTexts(builder, texts);
  }
  if (/^10*$/.test(step.toString())) return compileZeros(builder, first, last, step);
  if (step <= LARGEST_STEP && (low === 0n || low === 1n || !bounds.bounded)) {
    if (high >= 10n ** BigInt(AUTOMATON_DIGITS) - 1n) {
      return compileRemainders(builder, step, low === 1n, !bounds.bounded);
    }
  }
  throw unsupported(path, "use a narrower range or a power of ten");
}

function compileZeros(builder: GrammarBuilder, first: bigint, last: bigint, step: number): string {
  const zeros = `"${step.toString().slice(1)}"`;
  const terms: string[] = [];
  if (first < 0n) {
    const upTo = last < 0n ? last : -1n;
    terms.push(...rangeTerms(builder, first, upTo, 0).map((term) => `${term} ${zeros}`));
  }
  if (first <= 0n && last >= 0n) terms.push('"0"');
  if (last > 0n) {
    const from = first > 0n ? first : 1n;
    terms.push(...rangeTerms(builder, from, last, 0).map((term) => `${term} ${zeros}`));
  }
  return builder.add("multiple", terms.join(" | "));
}

/** A rule for each remainder and count of digits that may still follow. */
function compileRemainders(
  builder: GrammarBuilder,
  step: number,
  positive: boolean,
  signed: boolean,
): string {
  let previous: (string | null)[] = Array.from({ length: step }, (_, remainder) =>
    remainder === 0 ? '""' : null,
  );
  for (let digits = 1; digits < AUTOMATON_DIGITS; digits += 1) {
    const shorter = previous;
    previous = shorter.map((_, remainder) => {
      const branches = remainder === 0 ? ['""'] : [];
      branches.push(...digitBranches(shorter, remainder, step, 0));
      return branches.length === 0 ? null : builder.add("rest", branches.join(" | "));
    });
  }
  const whole = builder.add("multiple", digitBranches(previous, 0, step, 1).join(" | "));
  const any = signed ? `"-"? ${whole}` : whole;
  return builder.add("multiple", positive ? any : `${any} | "0"`);
}

function digitBranches(
  rests: readonly (string | null)[],
  remainder: number,
  step: number,
  from: number,
): string[] {
  const branches: string[] = [];
  for (let digit = from; digit <= 9; digit += 1) {
    const rest = rests[(remainder * 10 + digit) % step];
    if (rest != null) branches.push(`"${digit}" ${rest}`);
  }
  return branches;
}

function divideUp(value: bigint, size: bigint): bigint {
  const whole = value / size;
  return whole * size < value ? whole + 1n : whole;
}
