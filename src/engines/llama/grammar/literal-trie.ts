// Sets of fixed texts as a tree of shared beginnings. Written flat, a thousand enum values are a
// thousand places for the engine to try at every token; as a tree it is one.

import { complement } from "./code-ranges.ts";
import { type CodeRange, codePointOf, quoteLiteral, writeClass } from "./gbnf-text.ts";
import type { GrammarBuilder } from "./grammar-builder.ts";

type Node = { readonly next: Map<string, Node>; end: boolean };

/** Any one of the texts, as one term. */
export function oneOfTexts(builder: GrammarBuilder, texts: readonly string[]): string {
  return writeNode(builder, plant(texts));
}

/**
 * Any text over the characters outside `forbidden`, not empty, that is none of `texts`.
 */
export function noneOfTexts(
  builder: GrammarBuilder,
  texts: readonly string[],
  forbidden: readonly CodeRange[],
): string {
  const free = builder.add("free", writeClass(complement(forbidden)));
  const write = (node: Node, depth: number): string => {
    const taken: CodeRange[] = [];
    const branches: string[] = [];
    for (const [character, child] of node.next) {
      const code = codePointOf(character);
      taken.push([code, code]);
      const deeper = `${quoteLiteral(character)} ${write(child, depth + 1)}`;
      branches.push(deeper);
    }
    branches.push(`${writeClass(complement([...forbidden, ...taken]))} ${free}*`);
    const rule = builder.add("other", branches.join(" | "));
    return depth > 0 && !node.end ? `${rule}?` : rule;
  };
  return write(plant(texts), 0);
}

function plant(texts: readonly string[]): Node {
  const root: Node = { next: new Map(), end: false };
  for (const text of texts) {
    let node = root;
    for (const character of text) {
      let child = node.next.get(character);
      if (child === undefined) {
        child = { next: new Map(), end: false };
        node.next.set(character, child);
      }
      node = child;
    }
    node.end = true;
  }
  return root;
}

function writeNode(builder: GrammarBuilder, node: Node): string {
  const branches: string[] = [];
  for (const [first, child] of node.next) {
    let text = first;
    let last = child;
    while (!last.end && last.next.size === 1) {
      for (const [character, only] of last.next) {
        text += character;
        last = only;
      }
    }
    const literal = quoteLiteral(text);
    branches.push(last.next.size === 0 ? literal : `${literal} ${writeNode(builder, last)}`);
  }
  if (branches.length === 0) return '""';
  const only = branches[0];
  const term =
    branches.length === 1 && only !== undefined
      ? `(${only})`
      : builder.add("one-of", branches.join(" | "));
  return node.end ? `${term}?` : term;
}
