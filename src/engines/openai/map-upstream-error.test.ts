import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KEY, useMockUpstream } from "../../../test/support/mock-upstream-bed.ts";
import { status } from "../../../test/support/mock-upstream-behaviours.ts";
import { ServiceError } from "../../call/index.ts";
import type { AttemptFailure } from "../target.ts";

const { bed, createTarget, attempt } = useMockUpstream();

describe("an upstream that refuses", () => {
  async function refusal(...args: Parameters<typeof status>): Promise<AttemptFailure> {
    bed.upstream.script(status(...args));
    const { failure, events } = await attempt(createTarget());
    assert.deepEqual(events, []);
    assert.ok(failure !== undefined);
    assert.ok(failure.error instanceof ServiceError);
    return failure;
  }

  test("because of the request is quoted to the caller, in short and without secrets", async () => {
    for (const code of [400, 413, 422]) {
      const { fault, error } = await refusal(code, { error: { message: "temperature: too hot" } });
      assert.equal(fault, "caller");
      assert.deepEqual(
        [error.status, error.type, error.message],
        [400, "invalid_request_error", "temperature: too hot"],
      );
    }
    const leak = `bad ${KEY} and Bearer abc.def and sk-proj-abcdefgh ${"x".repeat(5000)}`;
    const { error } = await refusal(400, { error: { message: leak } });
    assert.doesNotMatch(error.message, /very-secret|abc\.def|abcdefgh/);
    assert.ok(error.message.length <= 500);
  });

  test("because the prompt is too long is the caller's, whatever the status", async () => {
    for (const code of [400, 404, 500]) {
      const message = "This model's maximum context length is 4096 tokens";
      const { fault, error } = await refusal(code, { error: { message } });
      assert.deepEqual([fault, error.status, error.message], ["caller", 400, message]);
    }
  });

  test("in FastAPI's words, a proxy's page or plain text is understood", async () => {
    const detail = [{ loc: ["body", "messages"], msg: "field required" }];
    assert.equal((await refusal(422, { detail })).error.message, "body.messages: field required");
    assert.equal((await refusal(400, "nope\n")).error.message, "nope");
    assert.match((await refusal(400, "<html>x</html>")).error.message, /refused the request/);
  });

  test("our key or model is the operator's, and the caller learns no detail", async () => {
    for (const code of [401, 402, 403, 404, 405, 301]) {
      const { fault, error } = await refusal(code, { error: { message: `wrong key ${KEY}` } });
      assert.equal(fault, "target");
      assert.deepEqual([error.status, error.type, error.retryable], [502, "server_error", false]);
      assert.match(error.message, /operator must check/);
      assert.doesNotMatch(error.message, /wrong key|very-secret/);
      assert.doesNotMatch(String(error.cause), /very-secret/);
    }
    const { fault } = await refusal(400, { error: { message: "API key not valid." } });
    assert.equal(fault, "target");
  });

  test("flagged input is the caller's, so that one caller cannot take a target out", async () => {
    const { fault } = await refusal(403, { error: { message: "Your input was flagged" } });
    assert.equal(fault, "caller");
  });

  test("for now is 503 with its Retry-After, in seconds, milliseconds or as a date", async () => {
    const { fault, error } = await refusal(429, {}, { "retry-after": "7" });
    assert.equal(fault, "busy");
    assert.deepEqual(
      [error.status, error.type, error.retryable, error.retryAfterSeconds],
      [503, "overloaded_error", true, 7],
    );
    const precise = await refusal(429, {}, { "retry-after-ms": "1500", "retry-after": "2" });
    assert.equal(precise.error.retryAfterSeconds, 1.5);
    const date = new Date(Date.now() + 30_000).toUTCString();
    const dated = (await refusal(429, {}, { "retry-after": date })).error.retryAfterSeconds ?? 0;
    assert.ok(dated > 25 && dated <= 30);
    assert.equal(
      (await refusal(429, {}, { "retry-after": "soon" })).error.retryAfterSeconds,
      undefined,
    );
  });

  test("with 5xx has failed", async () => {
    const { fault, error } = await refusal(500, { error: "Traceback (most recent call last)" });
    assert.deepEqual([fault, error.status, error.retryable], ["target", 502, true]);
    assert.doesNotMatch(error.message, /Traceback/);
    assert.equal((await refusal(503, {}, { "retry-after": "3" })).error.retryAfterSeconds, 3);
  });
});
