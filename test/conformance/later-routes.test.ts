// Routes whose part comes in a later release: there, behind the key, and honest about it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  bearer,
  EMBEDDING,
  errorOf,
  IMAGE,
  JSON_TYPE,
  openStage,
  RERANK,
  SMALL,
  type Stage,
} from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

async function assertLater(
  method: "GET" | "POST",
  path: string,
  model: string,
  body?: object,
): Promise<void> {
  const without = await stage.send(path, { method });
  assert.equal(without.status, 401, path);
  const answer = await stage.send(path, {
    method,
    headers: { ...bearer(await stage.key(model)), ...JSON_TYPE },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { code, type, message } = errorOf(answer);
  assert.deepEqual(
    [code, type, message],
    [501, "server_error", `${method} ${path} is not available in this release`],
  );
}

test("POST /v1/images/generations answers 501 until it is built", async () => {
  await assertLater("POST", "/v1/images/generations", IMAGE, { model: IMAGE, prompt: "A hearth" });
});

test("GET /v1/mcp/servers answers 501 until it is built", async () => {
  await assertLater("GET", "/v1/mcp/servers", SMALL);
});

test("POST /v1/embeddings answers 501 until it is built", async () => {
  await assertLater("POST", "/v1/embeddings", EMBEDDING, { model: EMBEDDING, input: "text" });
});

test("POST /v1/messages answers 501 until it is built", async () => {
  await assertLater("POST", "/v1/messages", SMALL, { model: SMALL, max_tokens: 5, messages: [] });
  await assertLater("POST", "/v1/messages/count_tokens", SMALL, { model: SMALL, messages: [] });
});

test("POST /v1/messages takes the key as x-api-key too, as the vendor's client sends it", async () => {
  for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
    const headers = { "x-api-key": await stage.key(SMALL), ...JSON_TYPE };
    const answer = await stage.send(path, { method: "POST", headers, body: "{}" });
    assert.equal(answer.status, 501, `${path}: ${answer.text}`);
  }
});

test("POST /v1/agents/<operator> answers 501 until it is built, for the name and its aliases", async () => {
  for (const operator of ["hearth", "service", "heroku"]) {
    await assertLater("POST", `/v1/agents/${operator}`, SMALL, { model: SMALL, messages: [] });
  }
});

test("POST /v1/rerank answers 501 until it is built", async () => {
  const body = { model: RERANK, query: "q", documents: ["d"] };
  await assertLater("POST", "/v1/rerank", RERANK, body);
  await assertLater("POST", "/v2/rerank", RERANK, body);
});

test("an agent route of somebody else's name is unknown", async () => {
  const headers = bearer(await stage.key(SMALL));
  const answer = await stage.send("/v1/agents/nobody", { method: "POST", headers });
  assert.equal(errorOf(answer).code, 404);
});
