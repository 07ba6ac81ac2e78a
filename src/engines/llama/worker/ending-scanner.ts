// Looks for the strings that end a phase in text that comes in pieces, and lets through only what
// cannot be part of one.

export class EndingScanner {
  readonly #endings: readonly string[];
  #held = "";
  #passed = 0;
  #endedAt: number | undefined;

  constructor(endings: readonly string[]) {
    this.#endings = endings.filter((ending) => ending !== "");
  }

  /** Where the ending began, in characters of the phase; undefined while none was met. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** Text that is output for certain. */
  push(piece: string): string {
    const text = this.#held + piece;
    const at = this.#firstEnding(text);
    if (at !== undefined) {
      this.#endedAt = this.#passed + at;
      this.#held = "";
      return text.slice(0, at);
    }
    const safe = text.length - this.#possibleStart(text);
    this.#held = text.slice(safe);
    this.#passed += safe;
    return text.slice(0, safe);
  }

  /** No more text comes: what looked like the start of an ending is output after all. */
  end(): string {
    const text = this.#held;
    this.#held = "";
    this.#passed += text.length;
    return text;
  }

  #firstEnding(text: string): number | undefined {
    const found = this.#endings.map((ending) => text.indexOf(ending)).filter((at) => at !== -1);
    return found.length === 0 ? undefined : Math.min(...found);
  }

  /** Length of the longest tail that an ending may begin with. */
  #possibleStart(text: string): number {
    let longest = 0;
    for (const ending of this.#endings) {
      for (let length = Math.min(ending.length - 1, text.length); length > longest; length -= 1) {
        if (text.endsWith(ending.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
