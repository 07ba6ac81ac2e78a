// The API description against the server: the same routes both ways, the same statuses and
// headers, examples that are true, and a document that is valid in itself.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Compile } from "typebox/compile";
import { asObject, isObject, type JsonObject, plainSchema } from "../../docs/generate/json.ts";
import { createOpenApi } from "../../docs/generate/openapi.ts";
import { createCatalog } from "../../src/catalog/index.ts";
import {
  ChatChunkSchema,
  ChatReplySchema,
  ChatRequestSchema,
  ErrorSchema,
  parseChatRequest,
} from "../../src/dialects/index.ts";
import { createAdmission, createKeyRing, createMemorySharedState } from "../../src/gate/index.ts";
import { createHealth, createMetrics } from "../../src/ops/index.ts";
import { createPublicRoutes, NOT_OFFERED } from "../../src/service/index.ts";
import { findFaults, operationsOf, resolve } from "./openapi-structure.ts";
import { bearer, CHAT, openStage, SMALL, type Stage } from "./stage.ts";

const document = await createOpenApi();
const operations = operationsOf(document);

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

const operationAt = (method: string, path: string): JsonObject => {
  const found = operations.find((each) => each.method === method && each.path === path);
  assert.ok(found, `${method} ${path}`);
  return found.operation;
};

const responseAt = (method: string, path: string, status: number): JsonObject =>
  resolve(document, asObject(operationAt(method, path).responses)[`${status}`]);

test("the description has no fault in itself", () => {
  assert.deepEqual(findFaults(document), []);
});

test("the structural check finds what is wrong", () => {
  const gone = { $ref: "#/components/responses/Gone" };
  const dangling = { paths: { "/a": { get: { responses: { "200": gone } } } } };
  assert.deepEqual(findFaults(dangling), [
    "/paths//a/get/responses/200: #/components/responses/Gone points to nothing",
  ]);
  const operation = {
    operationId: "same",
    tags: ["None"],
    security: [{ nothing: [] }],
    responses: { "200": { headers: { "X-A": {} } } },
  };
  const faults = findFaults({
    openapi: "3.0.0",
    paths: { "/a/{b}": { get: operation, put: operation } },
    components: { securitySchemes: {}, schemas: { Unused: {} } },
  });
  for (const fault of [
    "openapi: is not 3.1",
    "info.title: is required",
    "#/components/schemas/Unused: is never used",
    "put /a/{b}: its operationId is taken",
    "get /a/{b}: None is no tag",
    "get /a/{b}: {b} is not described",
    "get /a/{b}: nothing is no security scheme",
    "get /a/{b} 200: has no description",
    "get /a/{b} 200: X-A has no schema",
  ]) {
    assert.ok(faults.includes(fault), `${fault} is not among ${faults.join("; ")}`);
  }
});

test("every route of the server is described, and every described route is the server's", () => {
  const metrics = createMetrics({ models: [], version: "0" });
  const operators = ["hearth", "service", "heroku"];
  const routes = createPublicRoutes({
    keyRing: createKeyRing(),
    catalog: createCatalog({}),
    admission: createAdmission({ sharedState: createMemorySharedState() }),
    health: createHealth(),
    metrics,
    metricsToken: null,
    operators,
    chat: { method: "POST", path: CHAT, handle: () => {} },
  });
  metrics.close();
  const agents = new RegExp(`^/v1/agents/(${operators.join("|")})$`);
  const served = routes.map(
    ({ method, path }) => `${method} ${path.replace(agents, "/v1/agents/{operator}")}`,
  );
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual([...new Set(served)].sort(), described.sort());
});

test("routes that are not offered are not described", () => {
  for (const path of NOT_OFFERED) assert.equal(path in asObject(document.paths), false, path);
});

/** One empty alternative, or no alternative at all, lets everybody in. */
const needsKey = (security: unknown): boolean =>
  Array.isArray(security) &&
  security.length > 0 &&
  security.every((alternative) => Object.keys(asObject(alternative)).length > 0);

test("every described route asks for the key where the description says so", async () => {
  for (const { method, path, operation } of operations) {
    const asked = operation.security === undefined || needsKey(operation.security);
    const answer = await stage.send(path.replace("{operator}", "hearth"), {
      method: method === "get" ? "GET" : "POST",
    });
    assert.equal(answer.status === 401, asked, `${method} ${path}: ${answer.status}`);
    assert.ok(`${answer.status}` in asObject(operation.responses), `${path}: ${answer.status}`);
  }
});

test("every route of a later release is described with 501 and answers it", async () => {
  const headers = bearer(await stage.key(SMALL));
  for (const { method, path, operation } of operations) {
    if (!("501" in asObject(operation.responses))) continue;
    const answer = await stage.send(path.replace("{operator}", "service"), {
      method: method === "get" ? "GET" : "POST",
      headers,
    });
    assert.equal(answer.status, 501, path);
  }
});

test("replies have the headers that the description tells of", async () => {
  const wrong = { headers: { "content-type": "text/plain" } };
  for (const [status, answer] of [
    [200, await stage.chat()],
    [400, await stage.chat({ temperature: 2 })],
    [403, await stage.chat({ model: "other" })],
    [415, await stage.chat({}, wrong)],
  ] as const) {
    assert.equal(answer.status, status);
    const told = Object.keys(asObject(responseAt("post", CHAT, status).headers));
    for (const name of told) assert.ok(name.toLowerCase() in answer.headers, `${status} ${name}`);
  }
  const limited = Object.keys(asObject(responseAt("post", CHAT, 429).headers));
  assert.ok(limited.includes("Retry-After") && limited.length === 8);
});

test("the schemas are the ones that the server checks with", () => {
  assert.deepEqual(asObject(document.components).schemas, {
    ChatRequest: plainSchema(ChatRequestSchema),
    ChatReply: plainSchema(ChatReplySchema),
    ChatChunk: plainSchema(ChatChunkSchema),
    Error: plainSchema(ErrorSchema),
  });
});

test("every field of a chat request is explained", () => {
  for (const [name, schema] of Object.entries(ChatRequestSchema.properties)) {
    assert.ok("description" in schema && schema.description !== "", name);
  }
});

test("every example fits its schema", () => {
  let checked = 0;
  const check = (content: unknown, place: string): void => {
    for (const [type, media] of Object.entries(isObject(content) ? content : {})) {
      const { schema, examples, example } = asObject(media);
      const validator = Compile(resolve(document, schema));
      const values = Object.entries(isObject(examples) ? examples : {}).map(
        ([name, each]) => [name, asObject(each).value] as const,
      );
      if (example !== undefined) values.push(["example", example]);
      if (type === "application/json") assert.notEqual(values.length, 0, `${place}: no example`);
      for (const [name, value] of values) {
        assert.ok(validator.Check(value), `${place} ${type} ${name}`);
        checked += 1;
      }
    }
  };
  for (const { method, path, operation } of operations) {
    if (isObject(operation.requestBody)) check(operation.requestBody.content, `${method} ${path}`);
    for (const [status, response] of Object.entries(asObject(operation.responses))) {
      check(resolve(document, response).content, `${method} ${path} ${status}`);
    }
  }
  for (const [name, header] of Object.entries(asObject(asObject(document.components).headers))) {
    const { schema, example } = asObject(header);
    assert.ok(Compile(asObject(schema)).Check(example), name);
  }
  assert.ok(checked > 40, `${checked}`);
});

test("every example of a chat request is one that the server takes", () => {
  const { content } = asObject(operationAt("post", CHAT).requestBody);
  const { examples } = asObject(asObject(content)["application/json"]);
  for (const example of Object.values(asObject(examples)))
    parseChatRequest(asObject(example).value);
});

test("the example streams hold chunks, and end as streams do", () => {
  const { content } = responseAt("post", CHAT, 200);
  const { examples } = asObject(asObject(content)["text/event-stream"]);
  const { whole, broken } = asObject(examples);
  const chunk = Compile(ChatChunkSchema);
  const frames = `${asObject(whole).value}`.split("\n\n");
  assert.deepEqual(frames.splice(-2), ["event: done\ndata: [DONE]", ""]);
  for (const frame of frames) assert.ok(chunk.Check(JSON.parse(frame.slice("data: ".length))));
  const [first = "", last = ""] = `${asObject(broken).value}`.split("\n\n");
  assert.ok(chunk.Check(JSON.parse(first.slice("data: ".length))));
  assert.match(last, /^data: \{"error":\{"code":502,/);
});

test("the open routes answer what the description says", async () => {
  for (const path of ["/available-models", "/livez", "/readyz"]) {
    const { text } = await stage.send(path);
    const { content } = responseAt("get", path, 200);
    const { schema } = asObject(asObject(content)["application/json"]);
    assert.ok(Compile(asObject(schema)).Check(JSON.parse(text)), text);
  }
});
