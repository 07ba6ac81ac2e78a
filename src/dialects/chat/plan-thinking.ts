// How much a call may think. `extended_thinking` is a demand and is refused where it cannot be
// met; `reasoning_effort` is a hint and is fitted to what the model and the cap leave.

import { type Call, invalidRequest } from "../../call/index.ts";
import type { Model } from "../../catalog/index.ts";
import type { ChatRequest } from "./request-schema.ts";

type Thinking = NonNullable<Call["thinking"]>;

/** The limit on output: the caller's own, with the name it was given under, or the model's. */
export type OutputCap = { readonly tokens: number; readonly field: string | null };

const DEFAULT_BUDGET = 1024;

const EFFORT_BUDGETS = {
  minimal: 1024,
  low: 1024,
  medium: 4096,
  high: 8192,
  xhigh: 16_384,
  max: Number.POSITIVE_INFINITY,
} as const;

export function planThinking(
  request: ChatRequest,
  model: Model,
  cap: OutputCap,
  thinkingModels: readonly string[],
): Thinking | undefined {
  const { extended_thinking: asked, reasoning_effort: effort } = request;
  if (asked) {
    if (!asked.enabled) return undefined;
    return demandBudget(asked.budget_tokens ?? DEFAULT_BUDGET, model, cap, thinkingModels);
  }
  if (!effort || effort === "none" || model.thinking === null) return undefined;
  const { minBudgetTokens, maxBudgetTokens } = model.thinking;
  const wanted = Math.max(EFFORT_BUDGETS[effort], minBudgetTokens);
  const budgetTokens = Math.min(wanted, maxBudgetTokens, cap.tokens - 1);
  return budgetTokens < minBudgetTokens ? undefined : { budgetTokens };
}

function demandBudget(
  budget: number,
  model: Model,
  cap: OutputCap,
  thinkingModels: readonly string[],
): Thinking {
  if (model.thinking === null) {
    const advice =
      thinkingModels.length > 0
        ? `use ${thinkingModels.join(" or ")}`
        : "leave it out or set enabled to false";
    throw invalidRequest(`extended_thinking is not supported by ${model.id}; ${advice}`);
  }
  const { minBudgetTokens, maxBudgetTokens } = model.thinking;
  if (budget < minBudgetTokens || budget > maxBudgetTokens) {
    throw invalidRequest(
      `extended_thinking.budget_tokens: ${budget} is out of range: it must be between ${minBudgetTokens} and ${maxBudgetTokens} for ${model.id}`,
    );
  }
  if (budget < cap.tokens) return { budgetTokens: budget };
  if (cap.field !== null) {
    throw invalidRequest(
      `extended_thinking.budget_tokens: ${budget} leaves no room for an answer: it must be less than ${cap.field}, which is ${cap.tokens}`,
    );
  }
  // The caller set no cap, so none was broken: the thinking leaves the answer its last token.
  return { budgetTokens: cap.tokens - 1 };
}
