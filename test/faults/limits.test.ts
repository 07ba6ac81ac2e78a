// Limits over the whole service: exact under a burst, restored when a call is settled.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Pool } from "undici";
import { chat, configFor } from "../support/chat.ts";
import { startHearth, type TestHearth } from "../support/hearth.ts";
import { type MockUpstream, startMockUpstream } from "../support/mock-upstream.ts";

describe("limits", () => {
  let upstream: MockUpstream;
  let hearth: TestHearth;

  before(async () => {
    upstream = await startMockUpstream();
    hearth = await startHearth(configFor(upstream.url, { limits: { requests: 150 } }));
  });
  after(async () => {
    await hearth.stop();
    await upstream.close();
  });

  it("let exactly 150 of 10,000 concurrent requests from 50 connections pass", async () => {
    const target = { url: hearth.url, key: await hearth.key("my-haiku") };
    const dispatcher = new Pool(hearth.url, { connections: 50, pipelining: 1 });
    const before = upstream.requests.length;
    const statuses = await Promise.all(
      Array.from({ length: 10_000 }, async () => {
        const reply = await chat(target, { dispatcher });
        await reply.body.dump();
        return reply.statusCode;
      }),
    );
    await dispatcher.close();
    const count = (status: number) => statuses.filter((one) => one === status).length;
    assert.deepEqual([count(200), count(429)], [150, 9_850]);
    assert.equal(upstream.requests.length - before, 150);
  });

  it("say with a 429 how long to wait, in whole seconds and in the reset header", async () => {
    const target = { url: hearth.url, key: await hearth.key("my-haiku") };
    for (let sent = 0; sent < 150; sent++) await (await chat(target)).body.dump();
    const refused = await chat(target);
    assert.equal(refused.statusCode, 429);
    const wait = Number(refused.headers["retry-after"]);
    assert.ok(wait >= 1 && wait <= 60, `${wait}`);
    assert.equal(refused.headers["x-ratelimit-reset-requests"], `${wait}s`);
    assert.equal(refused.headers["x-ratelimit-remaining-requests"], "0");
    const body = (await refused.body.json()) as { error: Record<string, unknown> };
    assert.equal(body.error.message, "Rate limit exceeded");
    assert.equal(body.error.type, "rate_limit_error");
  });

  it("give back the tokens that a call reserved and did not use", async () => {
    const target = { url: hearth.url, key: await hearth.key("my-haiku") };
    const first = await chat(target, { body: { max_completion_tokens: 4096 } });
    const held = Number(first.headers["x-ratelimit-remaining-tokens"]);
    const { usage } = (await first.body.json()) as { usage: { total_tokens: number } };
    const second = await chat(target, { body: { max_completion_tokens: 1 } });
    await second.body.dump();
    const left = Number(second.headers["x-ratelimit-remaining-tokens"]);
    assert.ok(held < 800_000 - 4096);
    assert.ok(left > 800_000 - usage.total_tokens - 200, `${left}`);
  });
});

describe("token limits", () => {
  it("refuse what would overshoot while earlier calls are still running", async () => {
    const upstream = await startMockUpstream();
    const hearth = await startHearth(configFor(upstream.url, { limits: { tokens: 5000 } }));
    const target = { url: hearth.url, key: await hearth.key("my-haiku") };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    upstream.script(async (_, response) => {
      await released;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          choices: [
            { index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" },
          ],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        }),
      );
    });
    const running = chat(target, { body: { max_completion_tokens: 4000 } });
    await upstream.request(1);
    const refused = await chat(target, { body: { max_completion_tokens: 4000 } });
    assert.equal(refused.statusCode, 429);
    await refused.body.dump();
    release();
    await (await running).body.dump();
    const admitted = await chat(target, { body: { max_completion_tokens: 4000 } });
    assert.equal(admitted.statusCode, 200);
    await admitted.body.dump();
    const impossible = await chat(target, {
      body: { messages: [{ role: "user", content: "x".repeat(30_000) }] },
    });
    assert.equal(impossible.statusCode, 400);
    assert.match(await impossible.body.text(), /allows 5000 tokens a minute: lower/);
    await hearth.stop();
    await upstream.close();
  });
});
