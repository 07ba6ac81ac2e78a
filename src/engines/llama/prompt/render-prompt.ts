// The conversation as prompt pieces: through the model's own template in the first manner that
// it takes without losing a text, and through a plain one where it takes none.

import type { Call } from "../../../call/index.ts";
import { serverError } from "../../../call/index.ts";
import type { PromptPiece, TemplateFacts } from "../plan.ts";
import { type ChatTemplate, readChatTemplate } from "./chat-template.ts";
import type { Conversation } from "./conversation.ts";
import { choosePlainTemplate } from "./plain-templates.ts";
import { Sentinels } from "./sentinels.ts";
import { type Manner, toTemplateInput } from "./template-messages.ts";
import { CALL_OPEN } from "./tool-call-format.ts";

export type RenderedPrompt = {
  readonly pieces: readonly PromptPiece[];
  readonly cacheablePieces: number;
  readonly template: ChatTemplate;
  readonly manner: Manner;
};

const PLAIN: Manner = { tools: "plain", system: "message", merged: false };
const MANNERS: readonly Manner[] = [
  PLAIN,
  { ...PLAIN, merged: true },
  { ...PLAIN, system: "folded", merged: true },
];

export function renderPrompt(
  call: Call,
  conversation: Conversation,
  facts: TemplateFacts,
): RenderedPrompt {
  const foreign = collectTexts(call, conversation);
  const own = facts.chatTemplate === null ? undefined : readChatTemplate(facts.chatTemplate, facts);
  const plain = readChatTemplate(choosePlainTemplate(facts), facts);
  for (const template of [own, plain]) {
    if (template === undefined) continue;
    for (const manner of chooseManners(template)) {
      const sentinels = new Sentinels([...foreign, template.source]);
      const input = toTemplateInput(call, conversation, manner, sentinels);
      const rendered = template.render(input, call.thinking !== undefined);
      const split = rendered === undefined ? undefined : sentinels.split(rendered);
      if (split !== undefined) return { ...split, template, manner };
    }
  }
  throw serverError("The conversation fits none of the model's templates");
}

/** A template's own way with tools is used where its calls look like those the grammar makes. */
function chooseManners({ source }: ChatTemplate): readonly Manner[] {
  const speaksTools = /\btools\b/.test(source) && source.includes(CALL_OPEN);
  if (!speaksTools || source.includes("<function=")) return MANNERS;
  return [{ tools: "template", system: "message", merged: false }, ...MANNERS];
}

/** Everything a caller wrote, anywhere. */
function collectTexts(call: Call, conversation: Conversation): string[] {
  const texts = [conversation.system, JSON.stringify(call.tools), JSON.stringify(call.format)];
  for (const turn of conversation.turns) texts.push(JSON.stringify(turn));
  return texts;
}
