// Test support: reads GBNF on its own terms and walks it at random, so that the strings a
// grammar allows can be looked at without an engine.

export type Gbnf =
  | { readonly type: "characters"; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly type: "rule"; readonly name: string }
  | { readonly type: "sequence"; readonly parts: readonly Gbnf[] }
  | { readonly type: "choice"; readonly parts: readonly Gbnf[] }
  | { readonly type: "repeat"; readonly part: Gbnf; readonly min: number; readonly max: number };

/** Rules entered freely before the shortest way out is taken. */
const GENEROUS = 24;

export type Rules = ReadonlyMap<string, Gbnf>;

export function parseGbnf(text: string): Rules {
  const rules = new Map<string, Gbnf>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const match = /^([a-z0-9-]+) ::= (.*)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) throw new Error(`no rule: ${line}`);
    rules.set(match[1], parseBody(match[2]));
  }
  return rules;
}

function parseBody(body: string): Gbnf {
  let place = 0;
  const skip = () => {
    while (body[place] === " ") place += 1;
  };

  function choice(): Gbnf {
    const parts = [sequence()];
    while (body[place] === "|") {
      place += 1;
      parts.push(sequence());
    }
    return { type: "choice", parts };
  }

  function sequence(): Gbnf {
    const parts: Gbnf[] = [];
    for (skip(); place < body.length && body[place] !== "|" && body[place] !== ")"; skip()) {
      parts.push(quantified(atom()));
    }
    return { type: "sequence", parts };
  }

  function quantified(part: Gbnf): Gbnf {
    const match = /^(?:\*|\+|\?|\{(\d+)(,?)(\d*)\})/.exec(body.slice(place, place + 24));
    if (match === null) return part;
    place += match[0].length;
    const [sign, low = "0", comma, high] = match;
    if (sign === "*") return { type: "repeat", part, min: 0, max: Number.POSITIVE_INFINITY };
    if (sign === "+") return { type: "repeat", part, min: 1, max: Number.POSITIVE_INFINITY };
    if (sign === "?") return { type: "repeat", part, min: 0, max: 1 };
    const max = comma === "" ? Number(low) : Number(high);
    return { type: "repeat", part, min: Number(low), max };
  }

  function atom(): Gbnf {
    const opening = body[place];
    if (opening === '"') {
      place += 1;
      const parts: Gbnf[] = [];
      while (body[place] !== '"') {
        const code = character();
        parts.push({ type: "characters", ranges: [[code, code]] });
      }
      place += 1;
      return { type: "sequence", parts };
    }
    if (opening === "[") return characterClass();
    if (opening === "(") {
      place += 1;
      const inner = choice();
      if (body[place] !== ")") throw new Error(`group not closed: ${body}`);
      place += 1;
      return inner;
    }
    const name = /^[a-z0-9-]+/.exec(body.slice(place))?.[0];
    if (name === undefined) throw new Error(`nothing at ${place}: ${body}`);
    place += name.length;
    return { type: "rule", name };
  }

  function characterClass(): Gbnf {
    place += 1;
    if (body[place] === "^") throw new Error("no negated classes are written");
    const ranges: [number, number][] = [];
    while (body[place] !== "]") {
      const first = character();
      if (body[place] === "-" && body[place + 1] !== "]") {
        place += 1;
        ranges.push([first, character()]);
      } else {
        ranges.push([first, first]);
      }
    }
    place += 1;
    return { type: "characters", ranges };
  }

  function character(): number {
    const code = body.codePointAt(place) ?? 0;
    place += code > 0xffff ? 2 : 1;
    if (code !== 0x5c) return code;
    const kind = body[place] ?? "";
    place += 1;
    const width = { x: 2, u: 4, U: 8 }[kind];
    if (width === undefined) return kind.codePointAt(0) ?? 0;
    const value = Number.parseInt(body.slice(place, place + width), 16);
    place += width;
    return value;
  }

  const node = choice();
  if (place < body.length) throw new Error(`left over at ${place}: ${body}`);
  return node;
}

/** Answers strings that the grammar allows; `pick(n)` is a whole number below n. */
export function createWalker(rules: Rules): (pick: (below: number) => number) => string {
  const depths = measureDepths(rules);
  const sortedParts = new Map<Gbnf, Gbnf[]>();

  /** The parts of a choice, the one that ends soonest first. */
  function sortParts(node: Gbnf & { type: "choice" }): Gbnf[] {
    const known = sortedParts.get(node);
    if (known !== undefined) return known;
    const sorted = [...node.parts].sort((one, other) => depth(one, depths) - depth(other, depths));
    sortedParts.set(node, sorted);
    return sorted;
  }

  function write(node: Gbnf, left: number, pick: (below: number) => number): string {
    switch (node.type) {
      case "characters": {
        const [first, last] = node.ranges[pick(node.ranges.length)] ?? [97, 97];
        const spread = Math.min(last - first + 1, 90);
        return String.fromCodePoint(first + pick(spread));
      }
      case "rule": {
        const body = rules.get(node.name);
        if (body === undefined) throw new Error(`no rule ${node.name}`);
        return write(body, left - 1, pick);
      }
      case "sequence":
        return node.parts.map((part) => write(part, left, pick)).join("");
      case "choice": {
        const sorted = sortParts(node);
        const part = left > 0 ? sorted[pick(sorted.length)] : sorted[0];
        return part === undefined ? "" : write(part, left, pick);
      }
      case "repeat": {
        const extra = left > 0 ? Math.min(node.max - node.min, pick(4)) : 0;
        let text = "";
        for (let count = node.min + extra; count > 0; count -= 1)
          text += write(node.part, left, pick);
        return text;
      }
    }
  }
  return (pick) => write({ type: "rule", name: "root" }, GENEROUS, pick);
}

/** Rules on the shortest way out of each rule; infinite where there is none. */
function measureDepths(rules: Rules): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, body] of rules) {
      const found = depth(body, depths);
      if (found < (depths.get(name) ?? Number.POSITIVE_INFINITY)) {
        depths.set(name, found);
        changed = true;
      }
    }
  }
  return depths;
}

function depth(node: Gbnf, depths: ReadonlyMap<string, number>): number {
  switch (node.type) {
    case "characters":
      return 0;
    case "rule":
      return 1 + (depths.get(node.name) ?? Number.POSITIVE_INFINITY);
    case "sequence":
      return Math.max(0, ...node.parts.map((part) => depth(part, depths)));
    case "choice":
      return Math.min(...node.parts.map((part) => depth(part, depths)));
    case "repeat":
      return node.min === 0 ? 0 : depth(node.part, depths);
  }
}
