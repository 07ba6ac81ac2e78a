// A dialogue as small as it can be, for tests of the worker: roles as control tokens, the last
// message's text at the very end, so that its trigger decides what a scripted model answers. A
// json_schema format carries its GBNF in the schema's `gbnf`.

import type { Call, CallEvent } from "../../../call/index.ts";
import type { GenerationPlan, OutputReader, Phase, PromptPiece } from "../plan.ts";
import { EndingScanner } from "./ending-scanner.ts";
import type { Dialogue } from "./prepare-call.ts";

const special = (text: string): PromptPiece => ({ text, special: true });
const plain = (text: string): PromptPiece => ({ text, special: false });

function planGeneration(call: Call): GenerationPlan {
  const system = call.system.map(({ text }) => text).join("");
  const messages = call.messages.flatMap(({ role, parts }) => [
    special(`<|${role}|>`),
    ...parts.flatMap((part) => (part.type === "text" ? [plain(part.text)] : [])),
  ]);
  const answer: Phase = {
    kind: "answer",
    opening: call.thinking === undefined ? [] : [special("</think>")],
    endings: ["<|end|>"],
    maxTokens: Number.POSITIVE_INFINITY,
    ...readGrammar(call),
  };
  const thinking: Phase = {
    kind: "thinking",
    opening: [special("<think>")],
    endings: ["</think>"],
    maxTokens: call.thinking?.budgetTokens ?? 0,
  };
  return {
    prompt: [special("<|system|>"), plain(system), ...messages],
    cacheablePieces: 2,
    phases: call.thinking === undefined ? [answer] : [thinking, answer],
    stop: call.sampling.stop,
  };
}

function readGrammar({ format }: Call): { grammar?: string } {
  if (format.type !== "json_schema" || typeof format.schema.gbnf !== "string") return {};
  return { grammar: format.schema.gbnf };
}

function createOutputReader(_call: Call, plan: GenerationPlan): OutputReader {
  const scanner = new EndingScanner(plan.stop);
  let kind: Phase["kind"] = "answer";
  const toEvents = (text: string): CallEvent[] =>
    text === "" ? [] : [{ type: kind === "answer" ? "text" : "thinking", text }];
  return {
    beginPhase(phase) {
      kind = phase.kind;
      return [];
    },
    push: (text) => toEvents(kind === "answer" ? scanner.push(text) : text),
    get stopped() {
      return scanner.endedAt !== undefined;
    },
    end(ended) {
      const reason = ended === "ended" ? "stop" : "length";
      return { reason, events: [...toEvents(scanner.end()), { type: "finish", reason }] };
    },
  };
}

export const smallDialogue: Dialogue = { planGeneration, createOutputReader };
