// The settings of hearth.json read out of their schema: one entry a setting, in the order of
// the schema, with everything that the page and the published schema say of it.

import { ConfigSchema } from "../../src/config/index.ts";
import { asObject, isObject, type JsonObject, plainSchema } from "./json.ts";

export type Setting = {
  /** `http.port`, `models.*.limits.requests` */
  readonly path: string;
  readonly schema: JsonObject;
  readonly meaning: string;
  /** Undefined inside `models` and `mcp`. */
  readonly variable: string | undefined;
};

const config = plainSchema(ConfigSchema);

export type Section = {
  readonly name: string;
  readonly schema: JsonObject;
  readonly settings: readonly Setting[];
};

/** Sections whose settings have fixed names, and with them an environment variable each. */
export const fixedSections: readonly Section[] = Object.entries(asObject(config.properties))
  .map(([name, value]) => ({ name, schema: asObject(value) }))
  .filter(({ schema }) => isObject(schema.properties))
  .map(({ name, schema }) => ({
    name,
    schema,
    settings: Object.entries(asObject(schema.properties)).map(([key, value]) => {
      const path = `${name}.${key}`;
      return describe(path, asObject(value), `HEARTH_${name}_${key}`.toUpperCase());
    }),
  }));

/** Sections whose entries the operator names: a model id, a namespace. */
export const namedSections: readonly Section[] = Object.entries(asObject(config.properties))
  .map(([name, value]) => ({ name, schema: asObject(value) }))
  .filter(({ schema }) => isObject(schema.patternProperties))
  .map(({ name, schema }) => {
    const [entry] = Object.values(asObject(schema.patternProperties));
    return { name, schema, settings: [...walk(`${name}.*`, asObject(entry))] };
  });

function meaningOf({ description }: JsonObject): string {
  return typeof description === "string" ? description : "";
}

function describe(path: string, schema: JsonObject, variable?: string): Setting {
  return { path, schema, meaning: meaningOf(schema), variable };
}

function* walk(path: string, schema: JsonObject): Generator<Setting> {
  for (const [key, value] of Object.entries(propertiesOf(schema))) {
    const inner = `${path}.${key}`;
    yield describe(inner, asObject(value));
    yield* walk(inner, asObject(value));
  }
}

/** The fields of an object, or of the objects that a union or a list offers. */
function propertiesOf(schema: JsonObject): JsonObject {
  if (isObject(schema.properties)) return schema.properties;
  if (isObject(schema.items)) return propertiesOf(schema.items);
  const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : [];
  return Object.assign({}, ...alternatives.map(propertiesOf));
}
