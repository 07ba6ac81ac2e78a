// hearth.schema.json: the schema that the server checks with, turned round for editors. What
// has a default may be left out, and text may hold "${NAME}", which the server fills in first.

import { ConfigSchema } from "../../src/config/index.ts";
import { isObject, type JsonObject, plainSchema } from "./json.ts";

const VARIABLE = "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}";

export function createConfigSchema(): JsonObject {
  const { description, default: _, ...schema } = forEditors(plainSchema(ConfigSchema));
  return {
    // Editors know this draft best, and the schema uses nothing newer.
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:hearth-inference:hearth.schema.json",
    title: "hearth.json",
    description: `${description} Comments and trailing commas are allowed.`,
    ...schema,
    allowTrailingCommas: true,
  };
}

function forEditors(schema: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...schema };
  if (typeof schema.pattern === "string") result.pattern = `${schema.pattern}|${VARIABLE}`;
  if (isObject(schema.properties)) {
    result.properties = mapValues(schema.properties, forEditors);
    const required = requiredOf(schema, schema.properties);
    if (required.length > 0) result.required = required;
    else delete result.required;
  }
  if (isObject(schema.patternProperties)) {
    result.patternProperties = mapValues(schema.patternProperties, forEditors);
    // A name that fits no pattern is refused by the server as well.
    result.additionalProperties = false;
  }
  if (isObject(schema.items)) result.items = forEditors(schema.items);
  if (Array.isArray(schema.anyOf)) {
    result.anyOf = schema.anyOf.filter(isObject).map(forEditors);
  }
  return result;
}

const mapValues = (values: JsonObject, map: (value: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isObject(value) ? map(value) : value]),
  );

function requiredOf(schema: JsonObject, properties: JsonObject): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name) => {
    const property = properties[name];
    return typeof name === "string" && !(isObject(property) && "default" in property);
  });
}
