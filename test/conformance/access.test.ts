// Which models a key reaches, and the variables under which a program finds key and model.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Answer,
  bearer,
  CHAT,
  EMBEDDING,
  errorOf,
  hello,
  IMAGE,
  JSON_TYPE,
  MID,
  openStage,
  RERANK,
  replyOf,
  SMALL,
  type Stage,
  THINKING,
} from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

const chatAs = (key: string, model: string, fields: object = {}): Promise<Answer> =>
  stage.send(CHAT, {
    method: "POST",
    headers: { ...JSON_TYPE, ...bearer(key) },
    body: JSON.stringify({ model, messages: [hello], ...fields }),
  });

function assertForbidden(answer: Answer): void {
  const { code, type, message } = errorOf(answer);
  assert.deepEqual(
    [code, type, message],
    [403, "authorization_error", "You do not have access to that model"],
  );
}

test("a valid key used with another key's model is 403", async () => {
  const key = await stage.key(SMALL);
  replyOf(await chatAs(key, SMALL));
  assertForbidden(await chatAs(key, MID));
  assertForbidden(await chatAs(key, MID, { stream: true }));
});

test("a model that nobody has is the same 403", async () => {
  const key = await stage.key(SMALL);
  for (const model of ["no-such-model", SMALL.toUpperCase(), "__proto__", " "]) {
    assertForbidden(await chatAs(key, model));
  }
});

test("two models have two keys, and neither opens the other's", async () => {
  const [small, mid] = [await stage.key(SMALL), await stage.key(MID)];
  assert.notEqual(small, mid);
  replyOf(await chatAs(mid, MID));
  assertForbidden(await chatAs(mid, SMALL));
  assertForbidden(await chatAs(small, MID));
});

test("a key on the plan standard reaches every model of the service and no other", async () => {
  const { config, model } = await stage.hearth.admin.create({ plan: "standard", alias: "ALL" });
  assert.equal(model, null);
  const key = config.ALL_KEY ?? "";
  for (const id of [SMALL, MID, THINKING]) replyOf(await chatAs(key, id));
  assertForbidden(await chatAs(key, "no-such-model"));
});

test("config variables of the plan standard name no model", async () => {
  const { config } = await stage.hearth.admin.create({ plan: "standard", alias: "WHOLE" });
  assert.deepEqual(Object.keys(config).sort(), ["WHOLE_KEY", "WHOLE_URL"]);
  const env = await stage.hearth.admin.env();
  assert.equal("WHOLE_MODEL_ID" in env, false);
});

test("INFERENCE_URL, INFERENCE_KEY and INFERENCE_MODEL_ID are all that a chat client needs", async (context) => {
  const fresh = await openStage();
  context.after(() => fresh.stop());
  const { alias, config } = await fresh.hearth.admin.create({ model: SMALL });
  assert.equal(alias, "INFERENCE");
  assert.deepEqual(Object.keys(config).sort(), [
    "INFERENCE_KEY",
    "INFERENCE_MODEL_ID",
    "INFERENCE_URL",
  ]);
  assert.equal(config.INFERENCE_URL, fresh.hearth.url);
  assert.equal(config.INFERENCE_MODEL_ID, SMALL);
  assert.deepEqual(await fresh.hearth.admin.env(), config);
  const answer = await fresh.send(CHAT, {
    method: "POST",
    headers: { ...JSON_TYPE, ...bearer(config.INFERENCE_KEY ?? "") },
    body: JSON.stringify({ model: config.INFERENCE_MODEL_ID, messages: [hello] }),
  });
  replyOf(answer);
});

test("an image model comes as DIFFUSION, an embedding model as EMBEDDING, a rerank model as RERANK", async () => {
  const { admin } = stage.hearth;
  for (const [model, prefix] of [
    [IMAGE, "DIFFUSION"],
    [EMBEDDING, "EMBEDDING"],
    [RERANK, "RERANK"],
  ] as const) {
    const { config } = await admin.create({ model });
    assert.equal(config[`${prefix}_URL`], stage.hearth.url);
    assert.match(config[`${prefix}_KEY`] ?? "", /^inf-/);
    assert.equal(config[`${prefix}_MODEL_ID`], model);
  }
});

test("a further model carries a prefix of its own, counted up or as the operator says", async (context) => {
  const fresh = await openStage();
  context.after(() => fresh.stop());
  const { admin } = fresh.hearth;
  await admin.create({ model: SMALL });
  const second = await admin.create({ model: MID });
  assert.deepEqual(Object.keys(second.config).sort(), [
    "INFERENCE_2_KEY",
    "INFERENCE_2_MODEL_ID",
    "INFERENCE_2_URL",
  ]);
  const named = await admin.create({ model: MID, alias: "CLAUDE" });
  assert.deepEqual(Object.keys(named.config).sort(), [
    "CLAUDE_KEY",
    "CLAUDE_MODEL_ID",
    "CLAUDE_URL",
  ]);
  assert.notEqual(named.config.CLAUDE_KEY, second.config.INFERENCE_2_KEY);
});

test("the tier of a chat model is a word in its id", async () => {
  const models = await stage.hearth.admin.models();
  const tiers = models.filter(({ tier }) => tier !== null).map(({ id, tier }) => [id, tier]);
  assert.notEqual(tiers.length, 0);
  for (const [id, tier] of tiers) {
    assert.equal(tier, id?.includes("haiku") ? "small" : id?.includes("sonnet") ? "mid" : null);
  }
});
