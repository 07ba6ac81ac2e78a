// The simplest value that fits a JSON Schema, as far as tests need it.

import { asArray, asCount, asRecord } from "../../src/engines/openai/read-json.ts";

export function shapeLikeSchema(value: unknown): unknown {
  const schema = asRecord(value);
  if (schema === undefined) return "text";
  if (schema.const !== undefined) return schema.const;
  const choices = asArray(schema.enum);
  if (choices !== undefined) return choices[0];
  const [alternative] = asArray(schema.anyOf) ?? asArray(schema.oneOf) ?? [];
  if (alternative !== undefined) return shapeLikeSchema(alternative);
  switch (asArray(schema.type)?.[0] ?? schema.type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const length = asCount(schema.minItems) ?? 1;
      return Array.from({ length }, () => shapeLikeSchema(schema.items));
    }
    default: {
      const properties = Object.entries(asRecord(schema.properties) ?? {});
      return Object.fromEntries(properties.map(([name, each]) => [name, shapeLikeSchema(each)]));
    }
  }
}
