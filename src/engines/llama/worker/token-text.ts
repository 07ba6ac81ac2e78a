// The text of tokens as they come, in whole characters: bytes of a character that is not complete
// wait for the tokens that bring the rest.

import type { Token } from "node-llama-cpp";
import type { Vocabulary } from "./vocabulary.ts";

const replacement = "\uFFFD";
/** A character has four bytes at most, and every token brings at least one. */
const longestHold = 4;
/** Enough for the tokenizer to know whether a space belongs before the next word. */
const rememberedTokens = 3;

export class TokenText {
  readonly #vocabulary: Pick<Vocabulary, "text">;
  #before: Token[];
  #held: Token[] = [];

  constructor(vocabulary: Pick<Vocabulary, "text">, before: readonly Token[]) {
    this.#vocabulary = vocabulary;
    this.#before = before.slice(-rememberedTokens);
  }

  push(token: Token): string {
    this.#held.push(token);
    const text = this.#vocabulary.text(this.#held, this.#before);
    if (text.endsWith(replacement) && this.#held.length < longestHold) return "";
    this.#settle();
    return text;
  }

  /** What is held, without the character that never became whole. */
  end(): string {
    if (this.#held.length === 0) return "";
    const text = this.#vocabulary.text(this.#held, this.#before);
    this.#settle();
    return text.replace(/\uFFFD+$/, "");
  }

  get holds(): boolean {
    return this.#held.length > 0;
  }

  #settle(): void {
    this.#before = [...this.#before, ...this.#held].slice(-rememberedTokens);
    this.#held = [];
  }
}
