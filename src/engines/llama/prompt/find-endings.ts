// The strings that only a template writes between one turn and the next. A weak model runs on
// and plays the user too; where the marks of a turn are plain text to its tokenizer, nothing but
// their text tells.

import type { Call } from "../../../call/index.ts";
import type { TemplateFacts } from "../plan.ts";
import type { RenderedPrompt } from "./render-prompt.ts";
import { Sentinels } from "./sentinels.ts";
import { toTemplateInput } from "./template-messages.ts";
import { CALL_CLOSE, CALL_OPEN } from "./tool-call-format.ts";

const MARK = /<[^<>\n]{1,40}>|\[\/?[A-Z_]{2,20}\]|### [A-Z][a-z]+:/g;
/** Tags that a model may write inside its turn. */
const INSIDE = new Set(["<think>", "</think>", CALL_OPEN, CALL_CLOSE]);

export function findEndings(
  call: Call,
  facts: TemplateFacts,
  { template, manner }: RenderedPrompt,
): readonly string[] {
  const endings = new Set([...facts.endTokens, facts.eosToken].filter((text) => text !== ""));
  const sentinels = new Sentinels([template.source]);
  const empty = { ...call, tools: [], format: { type: "text" as const } };
  const turns = [
    { role: "user" as const, text: "1" },
    { role: "assistant" as const, text: "2", thinking: "", calls: [] },
    { role: "user" as const, text: "3" },
  ];
  const input = toTemplateInput(empty, { system: "", turns, begun: "" }, manner, sentinels);
  const rendered = template.render(input, false);
  const pieces = rendered === undefined ? [] : (sentinels.split(rendered)?.pieces ?? []);
  const answer = pieces.findIndex((piece) => !piece.special && piece.text === "2");
  const between = answer === -1 ? undefined : pieces[answer + 1];
  if (between?.special) {
    for (const [mark] of between.text.matchAll(MARK)) if (!INSIDE.has(mark)) endings.add(mark);
  }
  return [...endings];
}
