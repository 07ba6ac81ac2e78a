// Fields that come back from a file or a database row, given their types. What does not
// fit throws: a wrong type there means damage, and damage is not to be read as zero.

export function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(`expected text, found ${typeof value}`);
}

export function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value);
}

export function number(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError(`expected a number, found ${typeof value}`);
}

export function oneOf<T extends string>(choices: readonly T[], value: unknown): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw new TypeError(`expected one of ${choices.join(", ")}`);
}
