import assert from "node:assert/strict";
import { test } from "node:test";
import { createHealth } from "./health.ts";

test("a service that starts is alive, not ready, and says what it waits for", () => {
  const health = createHealth();
  assert.equal(health.state, "starting");
  assert.deepEqual(health.livez(), { status: 200, body: { status: "alive" } });
  assert.deepEqual(health.readyz(), {
    status: 503,
    body: { status: "starting", reasons: ["the service is starting"] },
  });
  const store = health.waitFor("the store is opening");
  const weights = health.waitFor("weights are being fetched");
  assert.deepEqual(health.readyz().body.reasons, [
    "the store is opening",
    "weights are being fetched",
  ]);
  store();
  assert.deepEqual(health.readyz().body.reasons, ["weights are being fetched"]);
  weights();
  assert.equal(health.readyz().status, 503);
});

test("two waits for the same reason end one by one", () => {
  const health = createHealth();
  const first = health.waitFor("weights");
  const second = health.waitFor("weights");
  first();
  first();
  assert.deepEqual(health.readyz().body.reasons, ["weights"]);
  second();
  assert.deepEqual(health.readyz().body.reasons, ["the service is starting"]);
});

test("a service that is ready says so without reasons", () => {
  const health = createHealth();
  health.ready();
  assert.equal(health.state, "ready");
  assert.deepEqual(health.readyz(), { status: 200, body: { status: "ready" } });
});

test("a service that drains is alive, not ready, and never turns ready again", () => {
  const health = createHealth();
  health.ready();
  health.drain();
  health.ready();
  assert.equal(health.state, "draining");
  assert.equal(health.livez().status, 200);
  assert.deepEqual(health.readyz(), {
    status: 503,
    body: { status: "draining", reasons: ["the service is shutting down"] },
  });
});

test("a start that is called off drains without having been ready", () => {
  const health = createHealth();
  health.drain("SIGTERM");
  health.ready();
  assert.deepEqual(health.readyz().body, { status: "draining", reasons: ["SIGTERM"] });
});
