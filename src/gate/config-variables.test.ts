import assert from "node:assert/strict";
import { test } from "node:test";
import { configVariables } from "./config-variables.ts";

const resource = { aliases: ["INFERENCE"], model: "my-haiku" };

test("an attachment has an address, a key and a model", () => {
  assert.deepEqual(configVariables(resource, "http://127.0.0.1:8080", "inf-key"), {
    INFERENCE_URL: "http://127.0.0.1:8080",
    INFERENCE_KEY: "inf-key",
    INFERENCE_MODEL_ID: "my-haiku",
  });
});

test("the address has no path and no slash at its end", () => {
  for (const address of ["https://models.example/", "https://models.example/v1/"]) {
    assert.equal(configVariables(resource, address).INFERENCE_URL, "https://models.example");
  }
});

test("on the plan standard there is no model to name", () => {
  const variables = configVariables({ ...resource, model: null }, "http://[::1]:8080", "inf-key");
  assert.deepEqual(Object.keys(variables), ["INFERENCE_URL", "INFERENCE_KEY"]);
});

test("a key that was not kept is left out", () => {
  const variables = configVariables(resource, "http://127.0.0.1:8080");
  assert.deepEqual(Object.keys(variables), ["INFERENCE_URL", "INFERENCE_MODEL_ID"]);
});

test("every alias gets the variables", () => {
  const aliases = ["INFERENCE", "CHAT"];
  const variables = configVariables({ ...resource, aliases }, "http://127.0.0.1:8080", "inf-key");
  assert.equal(variables.CHAT_KEY, variables.INFERENCE_KEY);
  assert.equal(Object.keys(variables).length, 6);
});
