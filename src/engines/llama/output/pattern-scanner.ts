// Looks for several fixed strings in text that comes in pieces. It works character by character
// (Knuth, Morris and Pratt), so that neither the borders of the pieces nor long stop strings
// make a difference, and it always knows how much of the text could still be a beginning.

type Pattern = { readonly text: string; readonly fallback: readonly number[]; matched: number };

export type ScanResult = {
  /** Text that is certainly no part of a pattern. */
  readonly safe: string;
  /** The pattern that was met first; of several that end at once, the longest. */
  readonly met?: string;
  /** What came after it. */
  readonly rest: string;
};

export class PatternScanner {
  readonly #patterns: Pattern[];
  #held = "";

  constructor(texts: readonly string[]) {
    this.#patterns = [...new Set(texts)]
      .filter((text) => text !== "")
      .sort((one, other) => other.length - one.length)
      .map((text) => ({ text, fallback: buildFallback(text), matched: 0 }));
  }

  push(piece: string): ScanResult {
    for (let index = 0; index < piece.length; index += 1) {
      const met = this.#step(piece.charCodeAt(index));
      if (met === undefined) continue;
      const text = this.#held + piece.slice(0, index + 1);
      this.#held = "";
      return { safe: text.slice(0, -met.length), met, rest: piece.slice(index + 1) };
    }
    const text = this.#held + piece;
    const open = Math.max(0, ...this.#patterns.map((pattern) => pattern.matched));
    this.#held = text.slice(text.length - open);
    return { safe: text.slice(0, text.length - open), rest: "" };
  }

  /** What was held back, now that nothing follows. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    for (const pattern of this.#patterns) pattern.matched = 0;
    return held;
  }

  #step(code: number): string | undefined {
    let met: string | undefined;
    for (const pattern of this.#patterns) {
      const { text, fallback } = pattern;
      let { matched } = pattern;
      while (matched > 0 && text.charCodeAt(matched) !== code) matched = fallback[matched - 1] ?? 0;
      if (text.charCodeAt(matched) === code) matched += 1;
      if (matched === text.length) {
        met ??= text;
        matched = 0;
      }
      pattern.matched = matched;
    }
    if (met !== undefined) for (const pattern of this.#patterns) pattern.matched = 0;
    return met;
  }
}

/** For each length matched, the longest shorter beginning that is matched as well. */
function buildFallback(text: string): number[] {
  const fallback = [0];
  let length = 0;
  for (let index = 1; index < text.length; index += 1) {
    while (length > 0 && text[index] !== text[length]) length = fallback[length - 1] ?? 0;
    if (text[index] === text[length]) length += 1;
    fallback.push(length);
  }
  return fallback;
}
