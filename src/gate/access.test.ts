import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalog } from "../catalog/index.ts";
import { reachModel } from "./access.ts";

const engine = { type: "openai", base_url: "http://127.0.0.1:9/v1" } as const;
const catalog = createCatalog({ "my-haiku": { engine }, "my-sonnet": { engine }, idle: {} });
const REFUSAL = {
  status: 403,
  type: "authorization_error",
  message: "You do not have access to that model",
};

test("a key reaches the model that it was provisioned for", () => {
  const resource = { plan: "model", model: "my-haiku" } as const;
  assert.equal(reachModel(resource, "my-haiku", catalog).id, "my-haiku");
});

test("another model, and one that does not exist, get the same 403", () => {
  const resource = { plan: "model", model: "my-haiku" } as const;
  for (const id of ["my-sonnet", "nonsense", "", "my-haiku ", "MY-HAIKU", "__proto__"]) {
    assert.throws(() => reachModel(resource, id, catalog), REFUSAL);
  }
});

test("a model that has left the catalog is out of reach for its own key too", () => {
  assert.throws(() => reachModel({ plan: "model", model: "gone" }, "gone", catalog), REFUSAL);
});

test("the plan standard reaches every model of the service and no other", () => {
  const resource = { plan: "standard", model: null } as const;
  assert.equal(reachModel(resource, "my-haiku", catalog).id, "my-haiku");
  assert.equal(reachModel(resource, "my-sonnet", catalog).id, "my-sonnet");
  assert.throws(() => reachModel(resource, "nonsense", catalog), REFUSAL);
  assert.throws(() => reachModel(resource, "idle", catalog), REFUSAL);
});
