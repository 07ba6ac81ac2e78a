// A regular expression as the inside of a JSON string: every character the pattern asks for is
// written the way JSON writes it, quotes and line breaks escaped.

import { invalidRequest } from "../../../call/index.ts";
import { includesCode, subtract } from "./code-ranges.ts";
import { type CodeRange, quoteLiteral, writeClass } from "./gbnf-text.ts";
import type { GrammarBuilder } from "./grammar-builder.ts";
import { NOT_BARE } from "./json-text.ts";
import type { Repetition } from "./read-repetition.ts";
import { parseRegex, type RegexNode } from "./regex-syntax.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";
import { anchor, withoutEmptyRepeats } from "./simplify-regex.ts";

const ESCAPED: readonly (readonly [code: number, text: string])[] = [
  [0x22, '\\"'],
  [0x5c, "\\\\"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
];

/** The pattern as a term, without the quotes around it. */
export function compilePattern(
  builder: GrammarBuilder,
  pattern: string,
  lengths: Repetition,
  path: string,
): string {
  if (pattern.length > SCHEMA_LIMITS.patternLength) {
    throw invalidRequest(`${path}: is longer than ${SCHEMA_LIMITS.patternLength} characters`);
  }
  const node = withoutEmptyRepeats(anchor(parseRegex(pattern, path), path));
  const fitted = fitLength(node, lengths, path);
  const places = countPlaces(fitted);
  if (places > SCHEMA_LIMITS.patternPlaces) {
    throw invalidRequest(
      `${path}: its counts multiply to ${places} places; the most is ${SCHEMA_LIMITS.patternPlaces}`,
    );
  }
  refuseOpenPlaces(fitted, path);
  return builder.add("pattern", writeNode(builder, fitted, path));
}

function writeNode(builder: GrammarBuilder, node: RegexNode, path: string): string {
  switch (node.type) {
    case "class":
      return writeCharacters(builder, node.ranges, path);
    case "sequence":
      return node.nodes.length === 0
        ? '""'
        : `(${node.nodes.map((inner) => writeNode(builder, inner, path)).join(" ")})`;
    case "choice":
      return `(${node.nodes.map((inner) => writeNode(builder, inner, path)).join(" | ")})`;
    case "repeat": {
      const inner = builder.add("part", writeNode(builder, node.node, path));
      return builder.repeat(inner, node.min, node.max);
    }
    default:
      return '""';
  }
}

function writeCharacters(
  builder: GrammarBuilder,
  ranges: readonly CodeRange[],
  path: string,
): string {
  const bare = subtract(ranges, NOT_BARE);
  const branches = bare.length === 0 ? [] : [writeClass(bare)];
  for (const [code, text] of ESCAPED) {
    if (includesCode(ranges, code)) branches.push(quoteLiteral(text));
  }
  const [only] = branches;
  if (only === undefined) throw invalidRequest(`${path}: a class holds no character that fits`);
  return branches.length === 1 ? only : builder.add("class", branches.join(" | "));
}

type Length = { readonly min: number; readonly max: number };

/**
 * A pattern beside minLength or maxLength: fine where it keeps them by itself, or where it is
 * one repetition whose counts can be narrowed. Anything else no grammar can say.
 */
function fitLength(node: RegexNode, wanted: Repetition, path: string): RegexNode {
  const most = wanted.max ?? Number.POSITIVE_INFINITY;
  const own = measure(node);
  if (own.min >= wanted.min && own.max <= most) return node;
  const repeat = soleRepeat(node);
  if (repeat?.type === "repeat" && repeat.node.type === "class") {
    const min = Math.max(repeat.min, wanted.min);
    const max = Math.min(repeat.max ?? Number.POSITIVE_INFINITY, most);
    if (min <= max) return { ...repeat, min, max: Number.isFinite(max) ? max : null };
  }
  throw invalidRequest(
    `${path}: together with minLength or maxLength it is not supported by local models; write the length into the pattern`,
  );
}

function soleRepeat(node: RegexNode): RegexNode {
  if (node.type === "sequence" || node.type === "choice") {
    const [only] = node.nodes;
    if (node.nodes.length === 1 && only !== undefined) return soleRepeat(only);
  }
  return node;
}

function measure(node: RegexNode): Length {
  switch (node.type) {
    case "class":
      return { min: 1, max: 1 };
    case "sequence": {
      const lengths = node.nodes.map(measure);
      return { min: sum(lengths.map((one) => one.min)), max: sum(lengths.map((one) => one.max)) };
    }
    case "choice": {
      const lengths = node.nodes.map(measure);
      return {
        min: Math.min(...lengths.map((one) => one.min)),
        max: Math.max(...lengths.map((one) => one.max)),
      };
    }
    case "repeat": {
      const inner = measure(node.node);
      return { min: inner.min * node.min, max: inner.max * (node.max ?? Number.POSITIVE_INFINITY) };
    }
    default:
      return { min: 0, max: 0 };
  }
}

function countPlaces(node: RegexNode): number {
  switch (node.type) {
    case "class":
      return 1;
    case "sequence":
    case "choice":
      return sum(node.nodes.map(countPlaces));
    case "repeat":
      return countPlaces(node.node) * Math.max(1, node.max ?? node.min + 1);
    default:
      return 0;
  }
}

function refuseOpenPlaces(node: RegexNode, path: string): void {
  if (node.type === "sequence" || node.type === "choice") {
    for (const inner of node.nodes) refuseOpenPlaces(inner, path);
  }
  if (node.type !== "repeat") return;
  refuseOpenPlaces(node.node, path);
  const { min, max } = measure(node.node);
  const most = SCHEMA_LIMITS.patternOpenPlaces;
  if (min !== max && node.max !== null && node.max > 1 && countPlaces(node) > most) {
    throw invalidRequest(
      `${path}: counts of counts may stand for ${most} places at most; use fewer, or * instead`,
    );
  }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
