import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Token } from "node-llama-cpp";
import { TokenText } from "./token-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A vocabulary in which a token is a byte. */
const bytes: Pick<Vocabulary, "text"> = { text: (tokens) => Buffer.from(tokens).toString() };

const isToken = (_byte: number): _byte is Token => true;
const tokensOf = (...values: number[]): Token[] => values.filter(isToken);

function read(tokens: readonly Token[]): string[] {
  const text = new TokenText(bytes, []);
  return [...tokens.map((token) => text.push(token)), text.end()];
}

describe("the text of tokens", () => {
  test("comes in whole characters", () => {
    const tokens = tokensOf(...Buffer.from("a\u20AC\u{1F525}!"));
    const pieces = ["a", "", "", "\u20AC", "", "", "", "\u{1F525}", "!", ""];
    assert.deepEqual(read(tokens), pieces);
  });

  test("ends without the character that never became whole", () => {
    assert.deepEqual(read(tokensOf(0x61, 0xe2, 0x82)), ["a", "", "", ""]);
  });

  test("does not wait for ever for bytes that make no character", () => {
    const pieces = read(tokensOf(0x80, 0x80, 0x80, 0x80, 0x61));
    assert.match(pieces.join(""), /^\uFFFD+a$/);
  });
});
