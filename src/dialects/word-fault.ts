// One fault of one field in words: the value, what is wrong with it, and what would be right.

import type { TLocalizedValidationError } from "typebox/error";
import { choicesOf, type SchemaKeywords, wordType } from "./schema-keywords.ts";
import { showValue } from "./show-value.ts";

export function wordFault(
  schema: SchemaKeywords,
  value: unknown,
  fault: TLocalizedValidationError | undefined,
): string {
  switch (fault?.keyword) {
    case "type":
      return notOfType([schema], value);
    case "const":
    case "enum":
      return notOneOf(choicesOf(schema), value);
    case "minimum":
    case "maximum":
      return `${showValue(value)} is out of range: it must be ${wordRange(schema)}`;
    case "minLength":
    case "minItems":
      return fault.params.limit === 1
        ? "must not be empty"
        : `${showValue(value)} is too short: the least is ${fault.params.limit}`;
    case "maxLength":
      return `${showValue(value)} is too long: the most is ${fault.params.limit} characters`;
    case "maxItems":
      return `has too many items: the most is ${fault.params.limit}`;
    case "pattern":
      return `${showValue(value)} must be ${schema["x-expected"] ?? `of the form ${fault.params.pattern}`}`;
    default:
      return `${showValue(value)} ${fault?.message ?? "is not valid"}`;
  }
}

export function notOneOf(choices: readonly unknown[], value: unknown): string {
  const shown = choices.map(showValue).join(", ");
  return `${showValue(value)} is not ${choices.length === 1 ? "" : "one of "}${shown}`;
}

export function notOfType(alternatives: readonly SchemaKeywords[], value: unknown): string {
  const words = new Set(alternatives.flatMap(wordAlternative));
  return `${showValue(value)} is not ${joinWords([...words])}`;
}

function wordAlternative(schema: SchemaKeywords): string[] {
  const choices = choicesOf(schema);
  return choices.length > 0 ? choices.map(showValue) : [wordType(schema.type ?? "valid")];
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`;

function wordRange({ type, minimum, maximum }: SchemaKeywords): string {
  const show = (bound: number): string =>
    type === "number" && Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
  if (minimum === undefined) return `at most ${show(maximum ?? 0)}`;
  if (maximum === undefined) return `at least ${show(minimum)}`;
  return `between ${show(minimum)} and ${show(maximum)}`;
}
