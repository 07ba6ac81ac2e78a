// What anybody may ask: the catalog, and whether the service is well.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  bearer,
  EMBEDDING,
  errorOf,
  IMAGE,
  MID,
  OLDER_THINKING,
  openStage,
  RERANK,
  SMALL,
  type Stage,
  THINKING,
} from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage({ metrics: { token: "a-token-of-the-operator" } });
});
after(() => stage.stop());

test("the catalog lists every model that something runs, without a key", async () => {
  const answer = await stage.send("/available-models");
  assert.equal(answer.status, 200);
  const listed = (model_id: string, type: string) => ({
    model_id,
    type: [type],
    regions: ["local"],
  });
  assert.deepEqual(JSON.parse(answer.text), [
    listed(MID, "text-to-text"),
    listed(THINKING, "text-to-text"),
    listed(OLDER_THINKING, "text-to-text"),
    listed(SMALL, "text-to-text"),
    listed(EMBEDDING, "text-to-embedding"),
    listed(RERANK, "text-to-ranking"),
    listed(IMAGE, "text-to-image"),
  ]);
});

test("life and readiness are told without a key", async () => {
  const alive = await stage.send("/livez");
  assert.deepEqual([alive.status, alive.text], [200, '{"status":"alive"}']);
  const ready = await stage.send("/readyz");
  assert.deepEqual([ready.status, ready.text], [200, '{"status":"ready"}']);
});

test("metrics ask for the operator's token where it has one, and take no key", async () => {
  assert.equal(errorOf(await stage.send("/metrics")).message, "Unauthorized");
  const keyed = await stage.send("/metrics", { headers: bearer(await stage.key(SMALL)) });
  assert.equal(errorOf(keyed).code, 401);
  const open = await stage.send("/metrics", { headers: bearer("a-token-of-the-operator") });
  assert.equal(open.status, 200);
  assert.match(`${open.headers["content-type"]}`, /^text\/plain/);
  assert.match(open.text, /^# HELP /);
});
