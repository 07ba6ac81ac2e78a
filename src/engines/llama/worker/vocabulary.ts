// Text to tokens and back, for one loaded model. Control tokens count only in the template's own
// pieces; everything between two of them is cut into tokens as one text, whichever pieces it came
// from, because that is how the model saw it in training.

import type { LlamaModel, Token } from "node-llama-cpp";
import type { PromptPiece } from "../plan.ts";

export interface Vocabulary {
  /** A whole prompt, with the token that begins a text where the model wants one. */
  tokenizePrompt(pieces: readonly PromptPiece[]): Token[];
  /** Fewer tokens than this the text cannot have: known without cutting it. */
  leastTokens(pieces: readonly PromptPiece[]): number;
  /** Text that goes on where the model stopped. */
  tokenizeContinuation(pieces: readonly PromptPiece[]): Token[];
  endsTurn(token: Token): boolean;
  /** The text of a control token; undefined for all others. */
  controlText(token: Token): string | undefined;
  /** The text of tokens that follow others; half a character at the end shows as U+FFFD. */
  text(tokens: readonly Token[], before: readonly Token[]): string;
  readonly controlTexts: readonly string[];
  readonly endTexts: readonly string[];
}

type Fragment = { readonly token: Token } | { readonly text: string };

export function createVocabulary(model: LlamaModel): Vocabulary {
  const textOf = new Map<Token, string>();
  for (const token of model.iterateAllTokens()) {
    if (!model.getTokenAttributes(token).control) continue;
    const text = model.detokenize([token], true);
    if (text !== "") textOf.set(token, text);
  }
  const tokenOf = new Map([...textOf].map(([token, text]) => [text, token]));
  const separator = controlPattern([...tokenOf.keys()]);
  const { bos, shouldPrependBosToken } = model.tokens;
  const tokenTexts = model.fileInfo.metadata.tokenizer.ggml.tokens;
  const longestToken = tokenTexts.reduce((longest, { length }) => Math.max(longest, length), 1);

  function toFragments(pieces: readonly PromptPiece[]): Fragment[] {
    const fragments: Fragment[] = [];
    let run = "";
    const closeRun = (): void => {
      if (run !== "") fragments.push({ text: run });
      run = "";
    };
    for (const piece of pieces) {
      const parts = piece.special && separator !== undefined ? piece.text.split(separator) : [];
      if (parts.length < 2) {
        run += piece.text;
        continue;
      }
      for (const part of parts) {
        const token = tokenOf.get(part);
        if (token === undefined) {
          run += part;
        } else {
          closeRun();
          fragments.push({ token });
        }
      }
    }
    closeRun();
    return fragments;
  }

  return {
    tokenizePrompt(pieces) {
      const tokens = toFragments(pieces).flatMap((fragment) =>
        "token" in fragment ? [fragment.token] : model.tokenize(fragment.text, false),
      );
      const missing = shouldPrependBosToken && bos !== null && tokens[0] !== bos;
      return missing ? [bos, ...tokens] : tokens;
    },
    leastTokens(pieces) {
      return Math.ceil(pieces.reduce((sum, { text }) => sum + text.length, 0) / longestToken);
    },
    tokenizeContinuation(pieces) {
      return toFragments(pieces).flatMap((fragment, index) => {
        if ("token" in fragment) return [fragment.token];
        return index === 0
          ? model.tokenize(fragment.text, false, "trimLeadingSpace")
          : model.tokenize(fragment.text, false);
      });
    },
    endsTurn: (token) => model.isEogToken(token),
    controlText: (token) => textOf.get(token),
    text: (tokens, before) => model.detokenize(tokens, false, before),
    controlTexts: [...tokenOf.keys()],
    endTexts: [...textOf].filter(([token]) => model.isEogToken(token)).map(([, text]) => text),
  };
}

/** Longest first: one control token's text may begin another's. */
function controlPattern(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const choices = texts.toSorted((one, other) => other.length - one.length).map(escapeForPattern);
  return new RegExp(`(${choices.join("|")})`);
}

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
