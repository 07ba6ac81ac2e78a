// A thinking budget as the three efforts of the OpenAI convention. The bounds lie halfway
// between the budgets that `reasoning_effort` stands for at our own door (1024, 4096, 8192), so
// that an effort passes through the house unchanged, also when a cap has trimmed its budget.

export function mapReasoningEffort(budgetTokens: number): "low" | "medium" | "high" {
  if (budgetTokens <= 2048) return "low";
  return budgetTokens <= 6144 ? "medium" : "high";
}
