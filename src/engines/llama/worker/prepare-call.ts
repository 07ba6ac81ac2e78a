// From a call to what can be run: planned, cut into tokens, and refused at once where it cannot
// fit. The library would drop the start of a prompt that is too long without a word.

import type { Token } from "node-llama-cpp";
import { type Call, invalidRequest, type ServiceError } from "../../../call/index.ts";
import type { GenerationPlan, OutputReader, TemplateFacts } from "../plan.ts";
import { Generation } from "./generation.ts";
import type { Grammars } from "./grammars.ts";
import type { PreparedCall } from "./run.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Template and output format of a call: what the worker itself does not know. */
export type Dialogue = {
  planGeneration(
    call: Call,
    facts: TemplateFacts,
    options: { readonly defaultSystem: string | null },
  ): GenerationPlan;
  createOutputReader(call: Call, plan: GenerationPlan): OutputReader;
};

export type PrepareOptions = {
  readonly dialogue: Dialogue;
  readonly facts: TemplateFacts;
  readonly vocabulary: Vocabulary;
  readonly grammars: Grammars;
  readonly contextTokens: number;
  readonly defaultSystem: string | null;
  readonly cacheMinTokens: number;
};

/** Cutting a phase short may need a token or two more than the model used for the same text. */
const retokenizingRoom = 4;

export async function prepareCall(
  id: number,
  call: Call,
  options: PrepareOptions,
): Promise<PreparedCall> {
  const { dialogue, facts, vocabulary, grammars, contextTokens, defaultSystem } = options;
  const plan = dialogue.planGeneration(call, facts, { defaultSystem });
  const [first, ...later] = plan.phases;
  const prompt = [...plan.prompt, ...(first?.opening ?? [])];
  // Cutting text into tokens holds up everybody: not done for what cannot fit in any case.
  const least = vocabulary.leastTokens(prompt);
  if (least > contextTokens) throw tooLong(contextTokens, `at least ${least}`);
  const promptTokens = vocabulary.tokenizePrompt(prompt);
  const reserved = later.reduce(
    (sum, { opening }) => sum + vocabulary.tokenizeContinuation(opening).length + retokenizingRoom,
    0,
  );
  const room = contextTokens - promptTokens.length - reserved;
  if (room < 1) throw tooLong(contextTokens, `${promptTokens.length}`);
  for (const { grammar } of plan.phases) {
    if (grammar !== undefined) await grammars.compile(grammar);
  }
  const generation = new Generation({
    call,
    plan,
    reader: dialogue.createOutputReader(call, plan),
    vocabulary,
    promptTokens,
    outputLimit: Math.min(call.maxOutputTokens, room),
  });
  const prefix = promptTokens.slice(0, countPrefixTokens(call, plan, promptTokens, options));
  return { id, call, generation, promptTokens, prefix };
}

const tooLong = (contextTokens: number, promptTokens: string): ServiceError =>
  invalidRequest(
    `this model's context is ${contextTokens} tokens, and the prompt alone has ${promptTokens}`,
  );

/**
 * The tokens that the cacheable pieces alone have in common with the whole prompt: where the
 * border falls inside a token, that token is not of the prefix. One token is left to be read.
 */
function countPrefixTokens(
  call: Call,
  plan: GenerationPlan,
  promptTokens: readonly Token[],
  { vocabulary, cacheMinTokens }: PrepareOptions,
): number {
  if (!call.promptCaching || plan.cacheablePieces === 0) return 0;
  const alone = vocabulary.tokenizePrompt(plan.prompt.slice(0, plan.cacheablePieces));
  const different = alone.findIndex((token, index) => token !== promptTokens[index]);
  const common = different === -1 ? alone.length : different;
  const count = Math.min(common, promptTokens.length - 1);
  return count >= cacheMinTokens ? count : 0;
}
