// A modest check of an OpenAPI 3.1 document: what the specification of the format requires of
// the parts that ours has. It names every fault with its place.

import { asObject, isObject, type JsonObject } from "../../docs/generate/json.ts";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
};

export const operationsOf = (document: JsonObject): Operation[] =>
  Object.entries(asObject(document.paths)).flatMap(([path, item]) =>
    Object.entries(asObject(item))
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method, path, operation: asObject(operation) })),
  );

/** What a local reference points to, or the value itself where it is none. */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  const node = asObject(value);
  if (typeof node.$ref !== "string") return node;
  let found: unknown = document;
  for (const step of node.$ref.replace(/^#\//, "").split("/")) {
    found = isObject(found) ? found[step] : undefined;
  }
  if (!isObject(found)) throw new Error(`${node.$ref} points to nothing`);
  return resolve(document, found);
}

export function findFaults(document: JsonObject): string[] {
  const dangling = [...checkReferences(document)];
  // What points to nothing cannot be looked into.
  if (dangling.length > 0) return dangling;
  return [
    ...checkHead(document),
    ...checkUse(document),
    ...checkUniqueIds(document),
    ...operationsOf(document).flatMap((operation) => [...checkOperation(document, operation)]),
  ];
}

function* checkHead(document: JsonObject): Generator<string> {
  if (!/^3\.1\.\d+$/.test(`${document.openapi}`)) yield "openapi: is not 3.1";
  const info = isObject(document.info) ? document.info : {};
  for (const field of ["title", "version"]) {
    if (typeof info[field] !== "string") yield `info.${field}: is required`;
  }
  for (const path of Object.keys(asObject(document.paths))) {
    if (!path.startsWith("/")) yield `paths: ${path} does not begin with a slash`;
  }
}

function* checkReferences(document: JsonObject): Generator<string> {
  for (const [place, node] of walk(document, "")) {
    try {
      resolve(document, node);
    } catch {
      yield `${place}: ${node.$ref} points to nothing`;
    }
  }
}

function* checkUse(document: JsonObject): Generator<string> {
  const used = new Set(Array.from(walk(document, ""), ([, node]) => node.$ref));
  for (const [kind, entries] of Object.entries(asObject(document.components))) {
    if (kind === "securitySchemes") continue;
    for (const name of Object.keys(asObject(entries))) {
      const reference = `#/components/${kind}/${name}`;
      // A stream's chunks are text to the format, which has no way to refer to their schema.
      if (!used.has(reference) && name !== "ChatChunk") yield `${reference}: is never used`;
    }
  }
}

function* checkUniqueIds(document: JsonObject): Generator<string> {
  const seen = new Set<unknown>();
  for (const { method, path, operation } of operationsOf(document)) {
    if (typeof operation.operationId !== "string") yield `${method} ${path}: has no operationId`;
    if (seen.has(operation.operationId)) yield `${method} ${path}: its operationId is taken`;
    seen.add(operation.operationId);
  }
}

function* checkOperation(
  document: JsonObject,
  { method, path, operation }: Operation,
): Generator<string> {
  const place = `${method} ${path}`;
  if (typeof operation.summary !== "string") yield `${place}: has no summary`;
  const tags = new Set((Array.isArray(document.tags) ? document.tags : []).map((tag) => tag.name));
  for (const tag of Array.isArray(operation.tags) ? operation.tags : [undefined]) {
    if (!tags.has(tag)) yield `${place}: ${tag} is no tag`;
  }
  yield* checkParameters(document, place, path, operation);
  yield* checkSecurity(document, place, operation);
  const responses = isObject(operation.responses) ? operation.responses : {};
  if (Object.keys(responses).length === 0) yield `${place}: has no responses`;
  for (const [status, response] of Object.entries(responses)) {
    if (!/^[1-5]\d\d$/.test(status)) yield `${place}: ${status} is no status`;
    yield* checkResponse(document, `${place} ${status}`, resolve(document, response));
  }
}

function* checkParameters(
  document: JsonObject,
  place: string,
  path: string,
  operation: JsonObject,
): Generator<string> {
  const given = Array.isArray(operation.parameters) ? operation.parameters : [];
  const parameters = given.map((parameter) => resolve(document, parameter));
  for (const { name, in: where, schema, required } of parameters) {
    if (!isObject(schema)) yield `${place}: the parameter ${name} has no schema`;
    if (where === "path" && required !== true) yield `${place}: ${name} must be required`;
    if (where === "path" && !path.includes(`{${name}}`))
      yield `${place}: ${name} is not in the path`;
  }
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    if (!parameters.some((parameter) => parameter.in === "path" && parameter.name === name)) {
      yield `${place}: {${name}} is not described`;
    }
  }
}

function* checkSecurity(
  document: JsonObject,
  place: string,
  operation: JsonObject,
): Generator<string> {
  const schemes = asObject(asObject(document.components).securitySchemes);
  const asked = operation.security ?? document.security;
  for (const choice of Array.isArray(asked) ? asked : [{ none: [] }]) {
    for (const name of Object.keys(choice)) {
      if (!(name in schemes)) yield `${place}: ${name} is no security scheme`;
    }
  }
}

function* checkResponse(
  document: JsonObject,
  place: string,
  response: JsonObject,
): Generator<string> {
  if (typeof response.description !== "string") yield `${place}: has no description`;
  const headers = isObject(response.headers) ? response.headers : {};
  if (!("X-Request-Id" in headers)) yield `${place}: does not tell of X-Request-Id`;
  for (const [name, header] of Object.entries(headers)) {
    if (!isObject(resolve(document, header).schema)) yield `${place}: ${name} has no schema`;
  }
  const content = isObject(response.content) ? response.content : {};
  if (Object.keys(content).length === 0) yield `${place}: has no content`;
  for (const [type, media] of Object.entries(content)) {
    if (!isObject(asObject(media).schema)) yield `${place}: ${type} has no schema`;
  }
}

function* walk(value: unknown, place: string): Generator<[place: string, node: JsonObject]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, `${place}[${index}]`);
  } else if (isObject(value)) {
    yield [place, value];
    for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${place}/${name}`);
  }
}
