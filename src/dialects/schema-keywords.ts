// A TypeBox schema read as the JSON Schema it is: the keywords that error messages look at.

export type SchemaKeywords = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaKeywords[];
  readonly properties?: { readonly [name: string]: SchemaKeywords };
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: SchemaKeywords;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What a pattern asks for, in words. */
  readonly "x-expected"?: string;
};

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["integer", "an integer"],
  ["number", "a number"],
  ["boolean", "a boolean"],
  ["array", "an array"],
  ["object", "an object"],
  ["null", "null"],
]);

export const wordType = (type: string): string => TYPE_WORDS.get(type) ?? type;

/** The values that a constant or an enumeration allows; empty for everything else. */
export function choicesOf(schema: SchemaKeywords | undefined): readonly unknown[] {
  if (schema === undefined) return [];
  return schema.const === undefined ? (schema.enum ?? []) : [schema.const];
}

export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether the value is of the kind the schema speaks of, whatever its content. */
export function isOfType(schema: SchemaKeywords, value: unknown): boolean {
  const type = jsonTypeOf(value);
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.some((choice) => jsonTypeOf(choice) === type);
  return schema.type === type || (schema.type === "integer" && type === "number");
}
