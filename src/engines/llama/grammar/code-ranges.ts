// Sets of characters as sorted code point ranges: what classes of a pattern are made of, and
// what is cut out of them because JSON does not allow it inside a string.

import type { CodeRange } from "./gbnf-text.ts";

const LAST = 0x10ffff;
/** No text in UTF-8 holds one. */
const SURROGATES: CodeRange = [0xd800, 0xdfff];

export function normalize(ranges: readonly CodeRange[]): CodeRange[] {
  const sorted = [...ranges].sort((one, other) => one[0] - other[0]);
  const joined: CodeRange[] = [];
  for (const [first, last] of sorted) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      joined[joined.length - 1] = [previous[0], Math.max(previous[1], last)];
    } else {
      joined.push([first, last]);
    }
  }
  return joined;
}

/** Every character that is in none of the ranges. */
export function complement(ranges: readonly CodeRange[]): CodeRange[] {
  const gaps: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of normalize([...ranges, SURROGATES])) {
    if (first > next) gaps.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

export const subtract = (
  ranges: readonly CodeRange[],
  removed: readonly CodeRange[],
): CodeRange[] => complement([...complement(ranges), ...removed]);

export const includesCode = (ranges: readonly CodeRange[], code: number): boolean =>
  ranges.some(([first, last]) => first <= code && code <= last);
