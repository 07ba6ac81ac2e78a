// Prepares a regular expression for a grammar: anchors turned into free text where they are
// missing, and repetitions of what may be empty rewritten, which native code refuses as left
// recursion.

import { invalidRequest } from "../../../call/index.ts";
import { complement } from "./code-ranges.ts";
import type { RegexNode } from "./regex-syntax.ts";

const FREE: RegexNode = {
  type: "repeat",
  node: { type: "class", ranges: complement([]) },
  min: 0,
  max: null,
};
const EMPTY: RegexNode = { type: "sequence", nodes: [] };

/** A schema's pattern is searched for, so an end without an anchor may hold any text. */
export function anchor(node: RegexNode, path: string): RegexNode {
  const branches = node.type === "choice" ? node.nodes : [node];
  const anchored = branches.map((branch): RegexNode => {
    const nodes = branch.type === "sequence" ? [...branch.nodes] : [branch];
    const start = nodes[0]?.type === "start";
    const end = nodes.at(-1)?.type === "end";
    const inner = nodes.slice(start ? 1 : 0, end ? -1 : undefined);
    const body = unwrapAnchored(inner, start, end);
    for (const part of body.nodes) refuseAnchors(part, path);
    return {
      type: "sequence",
      nodes: [...(body.start ? [] : [FREE]), ...body.nodes, ...(body.end ? [] : [FREE])],
    };
  });
  return { type: "choice", nodes: anchored };
}

/** `^(…)$` is often written `(^…$)`. */
function unwrapAnchored(nodes: readonly RegexNode[], start: boolean, end: boolean) {
  const [only] = nodes;
  if (nodes.length === 1 && only?.type === "sequence") {
    const opens = only.nodes[0]?.type === "start";
    const closes = only.nodes.at(-1)?.type === "end";
    return {
      start: start || opens,
      end: end || closes,
      nodes: only.nodes.slice(opens ? 1 : 0, closes ? -1 : undefined),
    };
  }
  return { start, end, nodes };
}

function refuseAnchors(node: RegexNode, path: string): void {
  switch (node.type) {
    case "start":
    case "end":
      throw invalidRequest(`${path}: an anchor inside the pattern is not supported`);
    case "repeat":
      refuseAnchors(node.node, path);
      break;
    case "sequence":
    case "choice":
      for (const inner of node.nodes) refuseAnchors(inner, path);
  }
}

/** The same texts, with nothing repeated that may be empty. */
export function withoutEmptyRepeats(node: RegexNode): RegexNode {
  switch (node.type) {
    case "sequence":
    case "choice":
      return { type: node.type, nodes: node.nodes.map(withoutEmptyRepeats) };
    case "repeat": {
      if (node.max === 0) return EMPTY;
      const inner = withoutEmptyRepeats(node.node);
      const full = mayBeEmpty(inner) ? notEmpty(inner) : inner;
      if (full === undefined) return EMPTY;
      return joinRepeats({ ...node, node: full, min: full === inner ? node.min : 0 });
    }
    default:
      return node;
  }
}

/** `(a{1,9}){0,9}` is `a{0,81}`: the same texts, without a history of how they were counted. */
function joinRepeats(outer: RegexNode & { type: "repeat" }): RegexNode {
  const inner = unwrap(outer.node);
  if (inner.type !== "repeat" || inner.min !== 1) return outer;
  const endless = inner.max === null || outer.max === null;
  return {
    type: "repeat",
    node: inner.node,
    min: outer.min,
    max: endless ? null : (inner.max ?? 0) * (outer.max ?? 0),
  };
}

function unwrap(node: RegexNode): RegexNode {
  if (node.type !== "sequence" && node.type !== "choice") return node;
  const [only, ...others] = node.nodes;
  return only !== undefined && others.length === 0 ? unwrap(only) : node;
}

function mayBeEmpty(node: RegexNode): boolean {
  switch (node.type) {
    case "class":
      return false;
    case "sequence":
      return node.nodes.every(mayBeEmpty);
    case "choice":
      return node.nodes.some(mayBeEmpty);
    case "repeat":
      return node.min === 0 || mayBeEmpty(node.node);
    default:
      return true;
  }
}

/** The texts of the node but the empty one; undefined where no other is left. */
function notEmpty(node: RegexNode): RegexNode | undefined {
  if (!mayBeEmpty(node)) return node;
  switch (node.type) {
    case "sequence": {
      const [first, ...rest] = node.nodes;
      if (first === undefined) return undefined;
      if (rest.length === 0) return notEmpty(first);
      const tail: RegexNode = { type: "sequence", nodes: rest };
      const head = notEmpty(first);
      const later = notEmpty(tail);
      if (head === undefined) return later;
      const full: RegexNode = { type: "sequence", nodes: [head, tail] };
      return later === undefined ? full : { type: "choice", nodes: [full, later] };
    }
    case "choice": {
      const nodes = node.nodes.map(notEmpty).filter((inner) => inner !== undefined);
      return nodes.length === 0 ? undefined : { type: "choice", nodes };
    }
    case "repeat": {
      const inner = notEmpty(node.node);
      return inner === undefined ? undefined : { ...node, node: inner, min: Math.max(1, node.min) };
    }
    default:
      return undefined;
  }
}
