// Turns a TypeBox schema into the parser of a request body: one compiled check when the body
// is good, one sentence that names field, value and range when it is not. For every dialect.

import type { StaticEncode, TObject } from "typebox";
import { Compile } from "typebox/compile";
import { invalidRequest } from "../call/index.ts";
import { explainMismatch } from "./explain-mismatch.ts";

/**
 * A closed schema (`additionalProperties: false`) refuses unknown fields, unless the body says
 * `allow_ignored_params: true`: then they are dropped.
 */
export function compileRequest<S extends TObject>(schema: S): (body: unknown) => StaticEncode<S> {
  const validator = Compile(schema);
  const known = new Set(Object.keys(schema.properties));
  return (body) => {
    if (validator.Check(body)) return body;
    const asked = ignoresUnknown(body) ? keepFields(body, known) : body;
    if (validator.Check(asked)) return asked;
    throw invalidRequest(explainMismatch(schema, asked, ""));
  };
}

const ignoresUnknown = (body: unknown): body is { allow_ignored_params: true } =>
  typeof body === "object" &&
  body !== null &&
  "allow_ignored_params" in body &&
  body.allow_ignored_params === true;

const keepFields = (body: object, known: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => known.has(name)));
