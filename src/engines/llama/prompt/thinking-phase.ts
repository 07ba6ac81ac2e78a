// The thinking before an answer: between the tags of a model that was trained to think, else a
// few lines that a grammar bounds, since a model without tags does not know how to stop.

import type { Call } from "../../../call/index.ts";
import type { Phase, PromptPiece } from "../plan.ts";

export type ThinkingTags = { readonly open: string; readonly close: string };

const KNOWN_TAGS: readonly ThinkingTags[] = [
  { open: "<think>", close: "</think>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<thinking>", close: "</thinking>" },
];

const LINE_LENGTH = 240;
const TOKENS_PER_LINE = 64;
const FEWEST_LINES = 3;
const MOST_LINES = 24;
/** What a model writes when it has thought enough. */
const CONCLUSIONS = ["\nAnswer:", "\nFinal answer:", "\nFinal Answer:"];

export const findThinkingTags = (template: string): ThinkingTags | undefined =>
  KNOWN_TAGS.find(({ close }) => template.includes(close));

export type ThinkingPlan = {
  readonly phase: Phase | undefined;
  /** Template text between the thinking, or the prompt, and the answer. */
  readonly answerOpening: readonly PromptPiece[];
};

/** `tail` is the end of the prompt: some templates open the thinking themselves. */
export function planThinking(
  call: Call,
  tags: ThinkingTags | undefined,
  tail: string,
  endings: readonly string[],
): ThinkingPlan {
  const opened = tags !== undefined && tail.trimEnd().endsWith(tags.open);
  const close = tags === undefined ? [] : [{ text: `\n${tags.close}\n\n`, special: true }];
  if (call.thinking === undefined) {
    return { phase: undefined, answerOpening: opened ? close : [] };
  }
  const maxTokens = call.thinking.budgetTokens;
  if (tags !== undefined) {
    const opening = opened ? [] : [{ text: `${tags.open}\n`, special: true }];
    const phase = { kind: "thinking", opening, endings: [tags.close, ...endings], maxTokens };
    return { phase: { ...phase, kind: "thinking" }, answerOpening: close };
  }
  return {
    phase: {
      kind: "thinking",
      opening: [{ text: "Let me think step by step.\n", special: false }],
      grammar: compileLines(maxTokens),
      endings: [...CONCLUSIONS, ...endings],
      maxTokens,
    },
    answerOpening: [{ text: "\n\nAnswer:\n", special: false }],
  };
}

/** Lines of plain text, none of them empty, and no tag that could be taken for the template's. */
function compileLines(budget: number): string {
  const lines = Math.floor(budget / TOKENS_PER_LINE);
  const most = Math.min(MOST_LINES, Math.max(FEWEST_LINES, lines));
  return [
    `root ::= line ("\\n" "\\n"? line){0,${most - 1}}`,
    `line ::= [^\\x00-\\x20<] [^\\x00-\\x1F<]{0,${LINE_LENGTH}}`,
    "",
  ].join("\n");
}
