// What a local model is to do for one call, as plain data: the prompt in pieces, the phases of
// the output, and what reads that output back into events. Whoever plans knows templates and
// grammars; whoever runs knows tokens, sequences and time.

import type { CallEvent, FinishReason } from "../../call/index.ts";

/**
 * A piece of the prompt. `special` is the template's own text, in which control tokens count;
 * in everything else they are letters, so that no caller can forge a role.
 */
export type PromptPiece = { readonly text: string; readonly special: boolean };

export type Phase = {
  readonly kind: "thinking" | "answer";
  /** Template text put before what the model writes in this phase; not output. */
  readonly opening: readonly PromptPiece[];
  /** GBNF that the output of this phase must fit; absent: free text. */
  readonly grammar?: string;
  /** Strings of the template that end the phase; never output. */
  readonly endings: readonly string[];
  /** Most tokens of this phase; the whole call is bounded by `maxOutputTokens` as well. */
  readonly maxTokens: number;
};

export type GenerationPlan = {
  readonly prompt: readonly PromptPiece[];
  /** Leading pieces that are system prompt and tools, and nothing of the conversation. */
  readonly cacheablePieces: number;
  readonly phases: readonly Phase[];
  /** The caller's stop strings: met in the answer's text they end it, and never appear. */
  readonly stop: readonly string[];
};

/** What of a loaded model a plan depends on. */
export type TemplateFacts = {
  /** The Jinja chat template in the weights; null where they have none. */
  readonly chatTemplate: string | null;
  readonly bosToken: string;
  readonly eosToken: string;
  /** Texts of the tokens that end a turn. */
  readonly endTokens: readonly string[];
};

/**
 * Reads a call's output: text in, in pieces of any size and never half a character; events out.
 * It holds back what could be the beginning of a stop string.
 */
export interface OutputReader {
  /** Tells which phase the text that follows belongs to. */
  beginPhase(phase: Phase): readonly CallEvent[];
  push(text: string): readonly CallEvent[];
  /** True once a stop string was met: nothing more is wanted. */
  readonly stopped: boolean;
  /** The output is over: what was held back, tool calls, and the finish, but not the usage. */
  end(reason: "ended" | "length"): {
    readonly events: readonly CallEvent[];
    readonly reason: FinishReason;
  };
}
