// What goes wrong before a model is asked, and what every error has in common.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hang, status } from "../support/mock-upstream-behaviours.ts";
import {
  type Answer,
  assertRefused,
  bearer,
  CHAT,
  errorOf,
  hello,
  JSON_TYPE,
  openStage,
  type Sending,
  SMALL,
  type Stage,
} from "./stage.ts";

let stage: Stage;
let key: string;
before(async () => {
  stage = await openStage({
    http: { body_limit: "64KiB" },
    upstream: { attempts: 1 },
  });
  key = await stage.key(SMALL);
});
after(() => stage.stop());

const body = JSON.stringify({ model: SMALL, messages: [hello] });
const post = (sending: Sending): Promise<Answer> =>
  stage.send(CHAT, {
    method: "POST",
    body,
    ...sending,
    headers: { ...bearer(key), ...(sending.headers ?? JSON_TYPE) },
  });

function assertFault(answer: Answer, code: number, type: string, message: RegExp): void {
  const error = errorOf(answer);
  assert.deepEqual([error.code, error.type], [code, type]);
  assert.match(error.message, message);
}

test("an error body has code, message, type and request id, and the message at the top too", async () => {
  const answer = await stage.send(CHAT, {
    method: "POST",
    headers: { "x-request-id": "ticket-7" },
  });
  assert.equal(
    answer.text,
    '{"error":{"code":401,"message":"Unauthorized","type":"authentication_error","request_id":"ticket-7"},"message":"Unauthorized"}',
  );
  assert.equal(answer.headers["x-request-id"], "ticket-7");
  assert.equal(answer.headers["content-type"], "application/json");
});

test("a request id is on every reply, good or not", async () => {
  const paths = ["/available-models", "/livez", "/readyz", "/metrics", "/nowhere", "/v1/models"];
  const seen = new Set<unknown>();
  for (const path of paths) seen.add((await stage.send(path)).headers["x-request-id"]);
  seen.add((await post({})).headers["x-request-id"]);
  seen.add((await post({ body: "{" })).headers["x-request-id"]);
  assert.equal(seen.has(undefined), false);
  assert.equal(seen.size, paths.length + 2);
});

test("a route of the convention that is not offered is a 404 that says so", async () => {
  for (const [method, path] of [
    ["POST", "/v1/moderations"],
    ["POST", "/v1/audio/transcriptions"],
    ["POST", "/v1/audio/speech"],
    ["GET", "/v1/models"],
    ["POST", "/v1/files"],
    ["POST", "/v1/fine-tuning/jobs"],
  ] as const) {
    const { code, type, message } = errorOf(await stage.send(path, { method }));
    assert.deepEqual(
      [code, type, message],
      [404, "not_found_error", `${path} is not offered by this service`],
    );
  }
});

test("fine-tuning, batches, assistants, audio and moderation are unavailable by any name", async () => {
  for (const path of [
    "/v1/fine-tuning/jobs",
    "/v1/fine_tuning/jobs",
    "/v1/batches",
    "/v1/assistants",
    "/v1/audio/transcriptions",
    "/v1/audio/translations",
    "/v1/audio/speech",
    "/v1/moderations",
  ]) {
    const answer = await stage.send(path, { method: "POST", headers: bearer(key) });
    assertFault(answer, 404, "not_found_error", /is not offered by this service$/);
  }
});

test("an unknown path is 404, also without the version or with another one", async () => {
  for (const path of ["/", "/nowhere", "/chat/completions", "/v2/chat/completions", `${CHAT}/`]) {
    const answer = await stage.send(path, { method: "POST", headers: bearer(key) });
    assertFault(answer, 404, "not_found_error", /^There is no route /);
  }
});

test("a wrong method is 405 with the methods that are allowed", async () => {
  for (const method of ["GET", "PUT", "DELETE", "PATCH"] as const) {
    const answer = await stage.send(CHAT, { method });
    assertFault(answer, 405, "invalid_request_error", /does not answer .*; use POST$/);
    assert.equal(answer.headers.allow, "POST");
  }
  const posted = await stage.send("/v1/mcp/servers", { method: "POST" });
  assert.equal(posted.status, 405);
  assert.equal(posted.headers.allow, "GET, HEAD");
});

test("a body that is not declared as application/json is 415", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
    const answer = await post({ headers: { "content-type": type } });
    assertFault(
      answer,
      415,
      "invalid_request_error",
      /^Content-Type must be application\/json; got/,
    );
  }
  assertFault(await post({ headers: {} }), 415, "invalid_request_error", /got none$/);
  const charset = await post({ headers: { "content-type": "application/json; charset=utf-8" } });
  assert.equal(charset.status, 200);
});

test("a body over the limit is 413", async () => {
  const answer = await post({ body: JSON.stringify({ pad: "x".repeat(65_536) }) });
  assertFault(answer, 413, "invalid_request_error", /larger than the limit of 65536 bytes$/);
});

test("a body that is no JSON object is 400", async () => {
  assertFault(
    await post({ body: "{" }),
    400,
    "invalid_request_error",
    /^The body is not valid JSON/,
  );
  assertRefused(await post({ body: "" }), "The body is empty; send a JSON object");
  assertRefused(await post({ body: "[]" }), "body: [] is not an object");
  assertRefused(await post({ body: "null" }), "body: null is not an object");
});

test("an upstream that fails is 502", async () => {
  stage.upstream.script(status(500, { error: { message: "boom" } }));
  assertFault(await post({}), 502, "server_error", /./);
});

test("an upstream that is silent for too long is 504", async (context) => {
  const impatient = await openStage({ upstream: { attempts: 1, first_byte_timeout: "20ms" } });
  context.after(() => impatient.stop());
  impatient.upstream.script(hang);
  assertFault(await impatient.chat(), 504, "timeout_error", /./);
});

test("webhooks and other notifications do not exist", async () => {
  for (const path of ["/v1/webhooks", "/v1/events", "/v1/notifications"]) {
    const answer = await stage.send(path, { method: "POST", headers: bearer(key) });
    assertFault(answer, 404, "not_found_error", /^There is no route /);
  }
});
