// A thinking budget as the three efforts of the OpenAI convention. The bounds are the
// inverse of the budgets that `reasoning_effort` stands for at our own door (1024, 4096,
// 8192), so that an effort passes through the house unchanged.

export function mapReasoningEffort(budgetTokens: number): "low" | "medium" | "high" {
  if (budgetTokens <= 2048) return "low";
  return budgetTokens < 8192 ? "medium" : "high";
}
