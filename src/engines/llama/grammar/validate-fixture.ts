// Test support: a plain validator of JSON Schema, written from the standard and not from the
// compiler, to judge what its grammars let through.

type Schema = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => isDate(text),
  "date-time": (text) => text.includes("T") && !Number.isNaN(Date.parse(text)),
  time: (text) => /^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  email: (text) => /^[^@\s]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text),
  ipv4: (text) => text.split(".").every((part) => Number(part) <= 255) && /^[\d.]+$/.test(text),
};

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function fits(value: unknown, schema: unknown, root: unknown = schema): boolean {
  if (typeof schema === "boolean") return schema;
  if (!isRecord(schema)) throw new Error("no schema");
  if (schema.nullable === true && value === null) return true;
  const { $ref, allOf, anyOf, oneOf, enum: values, type } = schema;
  if (typeof $ref === "string" && !fits(value, resolve(root, $ref), root)) return false;
  if (Array.isArray(allOf) && !allOf.every((part) => fits(value, part, root))) return false;
  if (Array.isArray(anyOf) && !anyOf.some((part) => fits(value, part, root))) return false;
  if (Array.isArray(oneOf) && !oneOf.some((part) => fits(value, part, root))) return false;
  const same = (other: unknown) => JSON.stringify(other) === JSON.stringify(value);
  if (Array.isArray(values) && !values.some(same)) return false;
  if (Object.hasOwn(schema, "const") && !same(schema.const)) return false;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((one) => hasType(value, one))) return false;
  if (typeof value === "string") return fitsString(value, schema);
  if (typeof value === "number") return fitsNumber(value, schema);
  if (Array.isArray(value)) return fitsArray(value, schema, root);
  return !isRecord(value) || fitsObject(value, schema, root);
}

function resolve(root: unknown, reference: string): unknown {
  let target = root;
  for (const step of reference.split("/").slice(1)) {
    if (!isRecord(target)) throw new Error(reference);
    target = target[step];
  }
  return target;
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

const numberOf = (value: unknown, fallback: number): number =>
  typeof value === "number" ? value : fallback;

const between = (size: number, min: unknown, max: unknown): boolean =>
  size >= numberOf(min, 0) && size <= numberOf(max, Number.POSITIVE_INFINITY);

function fitsString(value: string, schema: Schema): boolean {
  if (!between([...value].length, schema.minLength, schema.maxLength)) return false;
  const { pattern, format } = schema;
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) return false;
  return typeof format !== "string" || (FORMATS[format]?.(value) ?? true);
}

function fitsNumber(value: number, schema: Schema): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && value < minimum) return false;
  if (typeof maximum === "number" && value > maximum) return false;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return false;
  if (typeof multipleOf !== "number") return true;
  const quotient = value / multipleOf;
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 * Math.max(1, Math.abs(quotient));
}

function fitsArray(value: readonly unknown[], schema: Schema, root: unknown): boolean {
  if (!between(value.length, schema.minItems, schema.maxItems)) return false;
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return value.every((item, index) => fits(item, prefix[index] ?? schema.items ?? true, root));
}

function fitsObject(value: Schema, schema: Schema, root: unknown): boolean {
  const names = Object.keys(value);
  if (!between(names.length, schema.minProperties, schema.maxProperties)) return false;
  const { required, properties, additionalProperties } = schema;
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, name)))
    return false;
  const named = isRecord(properties) ? properties : {};
  return names.every((name) =>
    fits(
      value[name],
      Object.hasOwn(named, name) ? named[name] : (additionalProperties ?? true),
      root,
    ),
  );
}
