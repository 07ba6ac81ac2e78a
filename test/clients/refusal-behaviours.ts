// Refusals as the library's own errors: the right class, the service's exact words, a request
// id, and before a stream begins a status, never a stream with an error in it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Client, Refusal } from "./client.ts";
import { type Stage, WAYS, type Way } from "./stage.ts";
import { LIMITED, THINKING } from "./test-bed.ts";

export function refusalBehaviours(stage: Stage): void {
  for (const { way, send } of WAYS) {
    const refused = (client: Client, ask: Ask): Promise<Refusal> => refusalOf(client, send, ask);

    test(`a wrong key is an authentication error (${way})`, async () => {
      const client = await stage.client({ key: "inf-00000000-0000-4000-8000-000000000000" });
      const refusal = await refused(client, { messages: "Hello" });
      assert.equal(refusal.kind, "authentication");
      assert.equal(refusal.status, 401);
      assert.equal(refusal.message, "Invalid API key provided");
      assert.equal(refusal.type, "authentication_error");
      assert.match(refusal.requestId ?? "", /^[\w-]{8,}$/);
    });

    for (const model of [THINKING, "no-such-model"]) {
      test(`${model} is beyond the small model's key: a permission error (${way})`, async () => {
        const refusal = await refused(await stage.client(), { model, messages: "Hello" });
        assert.equal(refusal.kind, "permission");
        assert.equal(refusal.status, 403);
        assert.equal(refusal.message, "You do not have access to that model");
        assert.equal(refusal.type, "authorization_error");
      });
    }

    test(`a value out of range is a bad request that names the field (${way})`, async () => {
      const refusal = await refused(await stage.client(), { messages: "Hello", temperature: 1.5 });
      assert.equal(refusal.kind, "bad_request");
      assert.equal(refusal.status, 400);
      assert.equal(refusal.type, "invalid_request_error");
      assert.equal(
        refusal.message,
        "temperature: 1.5 is out of range: it must be between 0.0 and 1.0",
      );
    });

    test(`more output than the tier allows is a bad request (${way})`, async () => {
      const refusal = await refused(await stage.client(), { messages: "Hello", maxTokens: 5000 });
      assert.equal(refusal.kind, "bad_request");
      assert.match(refusal.message, /^max_\w*tokens: 5000 .*4096/);
    });

    test(`a used-up minute is a rate limit error that says when to return (${way})`, async () => {
      const client = await stage.client({ model: LIMITED });
      const ask = { model: LIMITED, messages: "Hello" };
      const first = await send(client, ask);
      assert.equal(first.header("x-ratelimit-limit-requests"), "2");
      assert.equal(first.header("x-ratelimit-remaining-requests"), "1");
      await send(client, ask);
      const before = stage.bed.requestCount();

      const refusal = await refused(client, ask);
      assert.equal(refusal.kind, "rate_limit");
      assert.equal(refusal.status, 429);
      assert.equal(refusal.message, "Rate limit exceeded");
      assert.equal(refusal.type, "rate_limit_error");
      const seconds = Number(refusal.header("retry-after"));
      assert.ok(seconds >= 1 && seconds <= 60, `retry-after: ${seconds}`);
      assert.equal(refusal.header("x-ratelimit-limit-requests"), "2");
      assert.equal(refusal.header("x-ratelimit-remaining-requests"), "0");
      assert.equal(refusal.header("x-ratelimit-reset-requests"), `${seconds}s`);
      assert.match(refusal.header("x-ratelimit-remaining-tokens") ?? "", /^\d+$/);
      assert.equal(stage.bed.requestCount(), before, "the upstream was not asked");
    });
  }
}

async function refusalOf(client: Client, send: Way["send"], ask: Ask): Promise<Refusal> {
  try {
    await send(client, ask);
  } catch (error) {
    return client.explain(error);
  }
  return assert.fail("was not refused");
}
