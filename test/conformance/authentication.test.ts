// Who may call: the key exactly as it was given out opens the service, and nothing that was
// shortened, padded, encoded or replaced on its way does.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openRaw } from "../support/raw-connection.ts";
import {
  type Answer,
  bearer,
  CHAT,
  errorOf,
  hello,
  JSON_TYPE,
  openStage,
  replyOf,
  SMALL,
  type Stage,
} from "./stage.ts";

let stage: Stage;
let key: string;
before(async () => {
  stage = await openStage();
  key = await stage.key(SMALL);
});
after(() => stage.stop());

const chatAs = (authorization?: string): Promise<Answer> =>
  stage.send(CHAT, {
    method: "POST",
    headers: { ...JSON_TYPE, ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify({ model: SMALL, messages: [hello] }),
  });

async function assertUnknown(authorization: string): Promise<void> {
  const { code, type, message } = errorOf(await chatAs(authorization));
  assert.deepEqual(
    [code, type, message],
    [401, "authentication_error", "Invalid API key provided"],
    authorization.replaceAll(key, "KEY"),
  );
}

test("a key sent as a Bearer token opens the service", async () => {
  assert.match(key, /^inf-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  replyOf(await chatAs(`Bearer ${key}`));
});

test("a request without a key is 401 Unauthorized", async () => {
  for (const answer of [await chatAs(), await chatAs("")]) {
    const { code, type, message } = errorOf(answer);
    assert.deepEqual([code, type, message], [401, "authentication_error", "Unauthorized"]);
  }
});

test("a malformed key is 401", async () => {
  for (const malformed of [
    "Bearer",
    "Bearer sk-something-else",
    `Bearer ${key.toUpperCase()}`,
    `Bearer "${key}"`,
    `Bearer ${key},${key}`,
    `Bearer ${key} ${key}`,
    `Basic ${Buffer.from(key).toString("base64")}`,
    key,
  ]) {
    await assertUnknown(malformed);
  }
});

test("a truncated or lengthened key is 401", async () => {
  for (const length of [key.length - 1, 20, 4, 1]) {
    await assertUnknown(`Bearer ${key.slice(0, length)}`);
    await assertUnknown(`Bearer ${key.slice(-length)}`);
  }
  await assertUnknown(`Bearer ${key}0`);
});

test("a key of the right form that nobody was given is 401", async () => {
  await assertUnknown("Bearer inf-00000000-0000-4000-8000-000000000000");
});

test("a URL-encoded key is 401", async () => {
  await assertUnknown(`Bearer ${key.replaceAll("-", "%2D")}`);
  await assertUnknown(`Bearer%20${key}`);
});

test("a key padded with whitespace is 401", async () => {
  await assertUnknown(`Bearer  ${key}`);
  await assertUnknown(`Bearer \t${key}`);
  await assertUnknown(`Bearer\t${key}`);
  await assertUnknown(`Bearer ${key.replace("-", " -")}`);
  await assertUnknown(`Bearer ${key}\u00a0`);
});

test("blanks at the ends of the header line are HTTP's own, and gone before the key is read", async () => {
  const raw = await openRaw(Number(new URL(stage.hearth.url).port));
  raw.send(
    `GET /v1/mcp/servers HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization:  Bearer ${key} \t\r\n\r\n`,
  );
  assert.match(await raw.closed(), /^HTTP\/1\.1 501 /);
});

test("a regenerated key is good at once and its old value is 401 at once", async () => {
  const created = await stage.hearth.admin.create({ model: SMALL, alias: "ROTATED" });
  const old = created.config.ROTATED_KEY ?? "";
  replyOf(await chatAs(`Bearer ${old}`));
  const rotated = await stage.hearth.admin.rotate("ROTATED");
  await assertUnknown(`Bearer ${old}`);
  replyOf(await chatAs(`Bearer ${rotated.config.ROTATED_KEY}`));
});

test("the key of a destroyed resource is 401", async () => {
  const created = await stage.hearth.admin.create({ model: SMALL, alias: "GONE" });
  await stage.hearth.admin.destroy("GONE");
  await assertUnknown(`Bearer ${created.config.GONE_KEY}`);
});

test("a key in the query or in the body opens nothing", async () => {
  const answer = await stage.send(`${CHAT}?api_key=${key}`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify({ model: SMALL, messages: [hello], api_key: key }),
  });
  assert.equal(errorOf(answer).message, "Unauthorized");
});

test("every route of the service asks for the key", async () => {
  const routes = [
    ["POST", CHAT],
    ["POST", "/v1/images/generations"],
    ["GET", "/v1/mcp/servers"],
    ["POST", "/v1/embeddings"],
    ["POST", "/v1/messages"],
    ["POST", "/v1/messages/count_tokens"],
    ["POST", "/v1/agents/hearth"],
    ["POST", "/v1/agents/service"],
    ["POST", "/v1/agents/heroku"],
    ["POST", "/v1/rerank"],
    ["POST", "/v2/rerank"],
  ] as const;
  for (const [method, path] of routes) {
    const without = await stage.send(path, { method, headers: JSON_TYPE });
    assert.equal(errorOf(without).message, "Unauthorized", path);
    const wrong = await stage.send(path, { method, headers: bearer("inf-wrong") });
    assert.equal(errorOf(wrong).message, "Invalid API key provided", path);
    assert.equal(wrong.status, 401, path);
  }
});

test("a refused key is written neither to the reply nor to the log", async () => {
  const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  const answer = await chatAs(`Bearer ${wrong}`);
  assert.equal(answer.status, 401);
  assert.equal(answer.text.includes(wrong), false);
  assert.equal(stage.hearth.logs().includes(wrong), false);
  assert.equal(stage.hearth.logs().includes(key), false);
});
