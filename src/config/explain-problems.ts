// Validation errors as an operator reads them: one line a setting, with what was found.

import type { TLocalizedValidationError } from "typebox/error";
import { Value } from "typebox/value";

export function explainProblems(
  errors: readonly TLocalizedValidationError[],
  config: unknown,
): string[] {
  const byPlace = new Map<string, string[]>();
  for (const error of errors) {
    // Both are said again, and better, by the errors beside them.
    if (error.keyword === "boolean" || error.keyword === "anyOf") continue;
    const found = byPlace.get(error.instancePath) ?? [];
    byPlace.set(error.instancePath, [...found, explain(error)]);
  }
  return [...byPlace].map(([place, messages]) => {
    const name = place.slice(1).replaceAll("/", ".") || "the file";
    const value = Value.Pointer.Get(config, place);
    const shown =
      value === undefined || typeof value === "object" ? "" : ` (found ${JSON.stringify(value)})`;
    return `${name}: ${[...new Set(messages)].join(", or ")}${shown}`;
  });
}

function explain(error: TLocalizedValidationError): string {
  if (error.keyword === "additionalProperties") {
    return `unknown setting ${error.params.additionalProperties.join(", ")}`;
  }
  if (error.keyword === "const") return `must be ${JSON.stringify(error.params.allowedValue)}`;
  if (error.keyword === "pattern") return `does not have the form ${error.params.pattern}`;
  return error.message;
}
