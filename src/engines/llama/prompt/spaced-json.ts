// JSON with a space after each comma and colon, the way Python writes it: models have read far
// more of it than of the dense form.

export function toSpacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSpacedJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => `${JSON.stringify(name)}: ${toSpacedJson(inner)}`);
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
