// JSON as such: strings, free values, free objects. Output is written on one line, with at most
// one space after a colon or a comma, because a small model that may write blanks writes blanks
// for ever; free values end at a fixed depth for the same reason.

import { complement } from "./code-ranges.ts";
import { type CodeRange, writeClass } from "./gbnf-text.ts";
import type { GrammarBuilder } from "./grammar-builder.ts";

/** What may not stand bare in a JSON string, and DEL, which no text wants. */
export const NOT_BARE: readonly CodeRange[] = [
  [0x00, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x7f, 0x7f],
];

export const COMMA = '"," " "?';
export const COLON = '":" " "?';

const FREE_LEVELS = 6;
const HEX = "[0-9a-fA-F]";
/** Escapes of surrogates are left out: half a pair is no text, and whole ones stand bare. */
const UNICODE_ESCAPE = `"u" ([0-9a-ceA-CEfF] ${HEX}{3} | [dD] [0-7] ${HEX}{2})`;

export function characterRule(builder: GrammarBuilder): string {
  const escaped = `"\\\\" (["\\\\/bfnrt] | ${UNICODE_ESCAPE})`;
  return builder.add("char", `${writeClass(complement(NOT_BARE))} | ${escaped}`);
}

export function stringRule(builder: GrammarBuilder, min = 0, max: number | null = null): string {
  const characters = builder.repeat(characterRule(builder), min, max);
  return builder.add("string", `"\\"" ${characters} "\\""`);
}

export const integerRule = (builder: GrammarBuilder): string =>
  builder.add("integer", '"-"? ("0" | [1-9] [0-9]{0,14})');

export const numberRule = (builder: GrammarBuilder): string =>
  builder.add("number", `${integerRule(builder)} ("." [0-9]{1,10})?`);

export const booleanRule = (builder: GrammarBuilder): string =>
  builder.add("boolean", '"true" | "false"');

/** Any JSON value of a bounded depth. */
export function valueRule(builder: GrammarBuilder, levels = FREE_LEVELS): string {
  const scalar = [stringRule(builder), numberRule(builder), booleanRule(builder), '"null"'];
  if (levels === 0) return builder.add("scalar", scalar.join(" | "));
  const nested = [objectRule(builder, levels), arrayRule(builder, levels)];
  return builder.add("value", [...nested, ...scalar].join(" | "));
}

/** Any JSON object of a bounded depth. */
export function objectRule(builder: GrammarBuilder, levels = FREE_LEVELS): string {
  const member = `${stringRule(builder)} ${COLON} ${valueRule(builder, levels - 1)}`;
  const pair = builder.add("member", member);
  return builder.add("object", `"{" (${pair} (${COMMA} ${pair})*)? "}"`);
}

export function arrayRule(builder: GrammarBuilder, levels = FREE_LEVELS): string {
  const item = valueRule(builder, levels - 1);
  return builder.add("array", `"[" (${item} (${COMMA} ${item})*)? "]"`);
}
