// A call as a plan for a local model: the prompt through its template, the thinking, and the
// answer with whatever grammar it has to keep.

import type { Call } from "../../../call/index.ts";
import type { GenerationPlan, Phase, TemplateFacts } from "../plan.ts";
import { compileAnswerGrammar, offeredTools } from "./compile-answer-grammar.ts";
import { readConversation } from "./conversation.ts";
import { findEndings } from "./find-endings.ts";
import { renderPrompt } from "./render-prompt.ts";
import { findThinkingTags, planThinking } from "./thinking-phase.ts";

export type PlanOptions = {
  /** The system prompt of calls that bring none. */
  readonly defaultSystem: string | null;
};

export function planGeneration(
  asked: Call,
  facts: TemplateFacts,
  options: PlanOptions,
): GenerationPlan {
  const call = withShownTools(asked);
  const conversation = readConversation(call, options.defaultSystem);
  const rendered = renderPrompt(call, conversation, facts);
  const endings = findEndings(call, facts, rendered);
  const tags = findThinkingTags(rendered.template.source);
  const last = rendered.pieces.at(-1);
  const tail = last?.special ? last.text : "";
  const thinking = planThinking(call, tags, tail, endings);
  const begun = conversation.begun === "" ? [] : [{ text: conversation.begun, special: false }];
  const grammar = compileAnswerGrammar(call);
  const answer: Phase = {
    kind: "answer",
    opening: [...thinking.answerOpening, ...begun],
    ...(grammar === undefined ? {} : { grammar }),
    // Where the grammar alone says when the answer is whole, a mark is just letters in a string.
    endings: isOnlyJson(call) ? [] : endings,
    maxTokens: call.maxOutputTokens,
  };
  return {
    prompt: rendered.pieces,
    cacheablePieces: rendered.cacheablePieces,
    phases: thinking.phase === undefined ? [answer] : [thinking.phase, answer],
    stop: call.sampling.stop,
  };
}

/** Tools that may not be used are shown only where the conversation would not make sense without. */
function withShownTools(call: Call): Call {
  if (call.toolChoice.type !== "none") return call;
  const used = call.messages.some((message) => message.role === "tool");
  return used ? call : { ...call, tools: [] };
}

function isOnlyJson(call: Call): boolean {
  const must = call.toolChoice.type === "required" || call.toolChoice.type === "named";
  return call.format.type !== "text" || (must && offeredTools(call).length > 0);
}
