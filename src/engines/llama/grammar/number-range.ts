// Decimal numbers between two bounds, digit by digit: the only exact way a grammar has. Bounds
// are whole numbers of units; a unit is one in the last place of `fraction` decimals.

import type { GrammarBuilder } from "./grammar-builder.ts";

/** Terms that together cover every number from `low` to `high`, none where there is none. */
export function rangeTerms(
  builder: GrammarBuilder,
  low: bigint,
  high: bigint,
  fraction: number,
): string[] {
  const terms: string[] = [];
  if (low < 0n) {
    const positive = unsignedTerms(builder, high < 0n ? -high : 1n, -low, fraction);
    if (positive.length > 0) terms.push(builder.add("negative", `"-" (${positive.join(" | ")})`));
  }
  if (high >= 0n) terms.push(...unsignedTerms(builder, low > 0n ? low : 0n, high, fraction));
  return terms;
}

/** One term for each count of digits before the point: the bounds then have equal widths. */
function unsignedTerms(
  builder: GrammarBuilder,
  low: bigint,
  high: bigint,
  fraction: number,
): string[] {
  const terms: string[] = [];
  const unit = 10n ** BigInt(fraction);
  for (let width = 1; ; width += 1) {
    const first = width === 1 ? 0n : 10n ** BigInt(width - 1) * unit;
    const last = 10n ** BigInt(width) * unit - 1n;
    if (first > high) break;
    const from = low > first ? low : first;
    const to = high < last ? high : last;
    if (from > to) continue;
    const digits = width + fraction;
    const write = createDigitWriter(builder, fraction === 0 ? -1 : width);
    const pad = (value: bigint) => value.toString().padStart(digits, "0");
    terms.push(builder.add("range", write(pad(from), pad(to), 0)));
  }
  return terms;
}

function createDigitWriter(builder: GrammarBuilder, point: number) {
  const dot = (place: number): string => (place === point ? '"." ' : "");

  /** Any digits at the places from `place` up to `end`. */
  function any(place: number, end: number): string {
    if (place >= end) return "";
    if (place < point && point < end) return `[0-9]{${point - place}} ${any(point, end)}`;
    return `${dot(place)}[0-9]{${end - place}}`;
  }

  function write(low: string, high: string, place: number): string {
    const end = low.length;
    if (place >= end) return '""';
    if (/^0*$/.test(low.slice(place)) && /^9*$/.test(high.slice(place))) return any(place, end);
    const first = Number(low[place]);
    const last = Number(high[place]);
    if (first === last) {
      return `${dot(place)}"${first}" ${write(low, high, place + 1)}`;
    }
    const rest = end - place - 1;
    const branches: string[] = [];
    let from = first;
    let to = last;
    if (rest > 0 && !/^0*$/.test(low.slice(place + 1))) {
      branches.push(`"${first}" ${deeper(low, padNines(low, place), place)}`);
      from += 1;
    }
    if (rest > 0 && !/^9*$/.test(high.slice(place + 1))) {
      branches.push(`"${last}" ${deeper(padZeros(high, place), high, place)}`);
      to -= 1;
    }
    if (from <= to) branches.push(`[${from}-${to}] ${any(place + 1, end)}`.trimEnd());
    return `${dot(place)}(${branches.join(" | ")})`;
  }

  const deeper = (low: string, high: string, place: number): string =>
    builder.add("digits", write(low, high, place + 1));

  return write;
}

const padNines = (digits: string, place: number): string =>
  digits.slice(0, place + 1).padEnd(digits.length, "9");

const padZeros = (digits: string, place: number): string =>
  digits.slice(0, place + 1).padEnd(digits.length, "0");
