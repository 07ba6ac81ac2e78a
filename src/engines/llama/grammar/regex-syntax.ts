// Reads the regular expressions that schemas hold: the part of ECMA-262 that describes a set of
// texts. What looks around, back or at word borders is no such set, and is refused by name.

import { invalidRequest, type ServiceError } from "../../../call/index.ts";
import { complement, normalize } from "./code-ranges.ts";
import type { CodeRange } from "./gbnf-text.ts";

export type RegexNode =
  | { readonly type: "class"; readonly ranges: readonly CodeRange[] }
  | { readonly type: "sequence"; readonly nodes: readonly RegexNode[] }
  | { readonly type: "choice"; readonly nodes: readonly RegexNode[] }
  | {
      readonly type: "repeat";
      readonly node: RegexNode;
      readonly min: number;
      readonly max: number | null;
    }
  | { readonly type: "start" }
  | { readonly type: "end" };

const DIGIT: CodeRange[] = [[0x30, 0x39]];
const WORD: CodeRange[] = [...DIGIT, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const SPACE: CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x2028, 0x2029],
];
const LINE_ENDS: CodeRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const SHORTHANDS: Readonly<Record<string, readonly CodeRange[]>> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, "0": 0 };
/** Each level may double the work of taking empty texts out. */
const DEEPEST = 8;

export function parseRegex(pattern: string, path: string): RegexNode {
  const characters = [...pattern];
  let place = 0;

  const peek = (): string | undefined => characters[place];
  const take = (text: string): boolean => {
    if (characters.slice(place, place + text.length).join("") !== text) return false;
    place += text.length;
    return true;
  };
  const refuse = (what: string): ServiceError =>
    invalidRequest(`${path}: ${what} is not supported by local models`);
  const broken = (what: string): ServiceError => invalidRequest(`${path}: ${what}`);

  function readChoice(depth: number): RegexNode {
    if (depth > DEEPEST) throw broken("groups are nested too deeply");
    const nodes = [readSequence(depth)];
    while (take("|")) nodes.push(readSequence(depth));
    const [only] = nodes;
    return nodes.length === 1 && only !== undefined ? only : { type: "choice", nodes };
  }

  function readSequence(depth: number): RegexNode {
    const nodes: RegexNode[] = [];
    while (place < characters.length && peek() !== "|" && peek() !== ")") {
      nodes.push(readQuantifier(readAtom(depth)));
    }
    return { type: "sequence", nodes };
  }

  function readAtom(depth: number): RegexNode {
    const character = characters[place] ?? "";
    place += 1;
    switch (character) {
      case "^":
        return { type: "start" };
      case "$":
        return { type: "end" };
      case ".":
        return { type: "class", ranges: complement(LINE_ENDS) };
      case "[":
        return { type: "class", ranges: readClass() };
      case "(":
        return readGroup(depth);
      case "\\":
        return { type: "class", ranges: readEscape(false) };
      case "*":
      case "+":
      case "?":
        throw broken(`nothing stands before "${character}"`);
      default:
        return { type: "class", ranges: [single(character)] };
    }
  }

  function readGroup(depth: number): RegexNode {
    if (take("?")) {
      if (take("=") || take("!") || take("<=") || take("<!")) throw refuse("looking around");
      if (take("<")) {
        while (place < characters.length && !take(">")) place += 1;
      } else if (!take(":")) {
        throw refuse("this kind of group");
      }
    }
    const inner = readChoice(depth + 1);
    if (!take(")")) throw broken("a group is not closed");
    return inner;
  }

  function readQuantifier(node: RegexNode): RegexNode {
    const count = readCounts();
    if (count === undefined) return node;
    if (node.type === "start" || node.type === "end") throw broken("an anchor is repeated");
    take("?");
    return { type: "repeat", node, ...count };
  }

  function readCounts(): { min: number; max: number | null } | undefined {
    if (take("*")) return { min: 0, max: null };
    if (take("+")) return { min: 1, max: null };
    if (take("?")) return { min: 0, max: 1 };
    const match = /^\{(\d{1,9})(,(\d{0,9}))?\}/.exec(characters.slice(place, place + 24).join(""));
    if (match === null) return undefined;
    place += match[0].length;
    const min = Number(match[1]);
    if (match[2] === undefined) return { min, max: min };
    const max = match[3] === "" ? null : Number(match[3]);
    if (max !== null && max < min) throw broken(`"${match[0]}" counts backwards`);
    return { min, max };
  }

  function readClass(): CodeRange[] {
    const negated = take("^");
    const ranges: CodeRange[] = [];
    while (!take("]")) {
      if (place >= characters.length) throw broken("a class is not closed");
      const first = readMember();
      const firstCode = soleCode(first);
      if (peek() === "-" && characters[place + 1] !== "]" && firstCode !== undefined) {
        place += 1;
        const last = soleCode(readMember());
        if (last === undefined || last < firstCode) throw broken("a range in a class is reversed");
        ranges.push([firstCode, last]);
      } else {
        ranges.push(...first);
      }
    }
    return negated ? complement(ranges) : normalize(ranges);
  }

  function readMember(): readonly CodeRange[] {
    const character = characters[place] ?? "";
    place += 1;
    if (place > characters.length) throw broken("a class is not closed");
    return character === "\\" ? readEscape(true) : [single(character)];
  }

  function readEscape(inClass: boolean): readonly CodeRange[] {
    const character = characters[place];
    if (character === undefined) throw broken("ends in a backslash");
    place += 1;
    const shorthand = SHORTHANDS[character];
    if (shorthand !== undefined) return shorthand;
    const control = CONTROLS[character];
    if (control !== undefined) return [[control, control]];
    if (character === "b" && inClass) return [[8, 8]];
    if (character === "b" || character === "B") throw refuse("a word border");
    if (character === "p" || character === "P") throw refuse("a Unicode property");
    if (/[1-9]/.test(character) || character === "k") throw refuse("a back reference");
    if (character === "u" || character === "x") return [readHexadecimal(character)];
    if (/[a-zA-Z]/.test(character)) throw refuse(`"\\${character}"`);
    return [single(character)];
  }

  function readHexadecimal(kind: "u" | "x"): CodeRange {
    const rest = characters.slice(place, place + 10).join("");
    const form =
      kind === "x" ? /^([0-9a-fA-F]{2})/ : /^(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})/;
    const match = form.exec(rest);
    const code = Number.parseInt(match?.[1] ?? match?.[2] ?? "", 16);
    if (match === null || code > 0x10ffff) throw broken(`"\\${kind}" wants hexadecimal digits`);
    place += match[0].length;
    return [code, code];
  }

  const node = readChoice(0);
  if (place < characters.length) throw broken("a group is closed that was not opened");
  return node;
}

function single(character: string): CodeRange {
  const code = character.codePointAt(0) ?? 0;
  return [code, code];
}

function soleCode(ranges: readonly CodeRange[]): number | undefined {
  const [range] = ranges;
  return ranges.length === 1 && range !== undefined && range[0] === range[1] ? range[0] : undefined;
}
