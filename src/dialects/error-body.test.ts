import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { invalidRequest, overloaded } from "../call/index.ts";
import { ErrorSchema, renderError } from "./error-body.ts";

test("an error body carries status, message, type and request id, and the message again", () => {
  assert.equal(
    renderError(invalidRequest('model: is "required"'), "req-1"),
    '{"error":{"code":400,"message":"model: is \\"required\\"","type":"invalid_request_error","request_id":"req-1"},"message":"model: is \\"required\\""}',
  );
});

test("the published error schema describes what is written", () => {
  const schema = Compile(ErrorSchema);
  assert.ok(schema.Check(JSON.parse(renderError(overloaded("Try later"), "req-2"))));
});
