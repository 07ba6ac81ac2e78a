// A caller that goes away: the work stops upstream, what was used is booked, and what was
// reserved is free again.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { chat, configFor } from "../support/chat.ts";
import { startHearth, type TestHearth } from "../support/hearth.ts";
import { type MockUpstream, startMockUpstream } from "../support/mock-upstream.ts";
import { openRaw } from "../support/raw-connection.ts";

const WITHIN_MS = 100;

describe("a caller that goes away", () => {
  let upstream: MockUpstream;
  let hearth: TestHearth;
  before(async () => {
    upstream = await startMockUpstream();
    hearth = await startHearth(configFor(upstream.url));
  });
  after(async () => {
    await hearth.stop();
    await upstream.close();
  });

  const raw = async (key: string, stream: boolean) => {
    const connection = await openRaw(Number(new URL(hearth.url).port));
    const body = JSON.stringify({
      model: "my-haiku",
      stream,
      max_completion_tokens: 4000,
      messages: [{ role: "user", content: "Hello" }],
    });
    connection.send(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return connection;
  };

  it("while it waits for a whole reply stops the upstream call within 100 ms", async () => {
    const key = await hearth.key("my-haiku");
    const [requests, aborts] = [upstream.requests.length, upstream.aborts.length];
    upstream.script(() => {});
    const connection = await raw(key, false);
    await upstream.request(requests + 1);
    const leftAt = performance.now();
    connection.destroy();
    const { closedAt } = await upstream.abort(aborts + 1);
    assert.ok(closedAt - leftAt < WITHIN_MS, `${closedAt - leftAt} ms`);
  });

  it("in the middle of a stream stops the upstream call within 100 ms", async () => {
    const key = await hearth.key("my-haiku");
    const aborts = upstream.aborts.length;
    upstream.script((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Once"}}]}\n\n');
    });
    const connection = await raw(key, true);
    await connection.until("Once");
    const leftAt = performance.now();
    connection.destroy();
    const { closedAt } = await upstream.abort(aborts + 1);
    assert.ok(closedAt - leftAt < WITHIN_MS, `${closedAt - leftAt} ms`);
  });

  it("has its reservation settled and its use booked", async () => {
    const created = await hearth.admin.create({ model: "my-haiku" });
    const key = created.config[`${created.alias}_KEY`] ?? "";
    const aborts = upstream.aborts.length;
    upstream.script((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Once upon a time"}}]}\n\n');
    });
    const connection = await raw(key, true);
    await connection.until("Once upon a time");
    connection.destroy();
    await upstream.abort(aborts + 1);
    const { id } = await hearth.admin.info(created.alias);
    const used = await hearth.admin.usage({ resourceId: id });
    assert.equal(used.requests, 1);
    assert.ok(used.completionTokens >= 1 && used.promptTokens >= 1);
    const next = await chat({ url: hearth.url, key });
    await next.body.dump();
    const remaining = Number(next.headers["x-ratelimit-remaining-tokens"]);
    assert.ok(remaining > 800_000 - 500, `${remaining}: the 4000 reserved tokens are free again`);
  });
});

describe("the ledger", () => {
  it("adds up to what callers saw, over successes, failures and aborts", async () => {
    const upstream = await startMockUpstream();
    const config = { ...configFor(upstream.url), upstream: { attempts: 1 } };
    const hearth = await startHearth(config);
    const target = { url: hearth.url, key: await hearth.key("my-haiku") };
    let seen = 0;
    for (let n = 0; n < 20; n++) {
      const reply = await chat(target, { body: { stream: n % 2 === 0 } });
      const text = await reply.body.text();
      seen += Number(/"total_tokens":(\d+)/.exec(text)?.[1]);
    }
    upstream.script((_, response) => {
      response.writeHead(500).end("{}");
    });
    const failed = await chat(target);
    assert.equal(failed.statusCode, 502);
    await failed.body.dump();
    const totals = await hearth.admin.usage();
    assert.equal(totals.requests, 21);
    assert.equal(totals.promptTokens + totals.completionTokens, seen);
    await hearth.stop();
    await upstream.close();
  });

  it("keeps no key and no text of a conversation", async () => {
    const upstream = await startMockUpstream();
    const hearth = await startHearth(configFor(upstream.url));
    const key = await hearth.key("my-haiku");
    await (await chat({ url: hearth.url, key })).body.dump();
    await hearth.admin.usage();
    assert.match(hearth.logs(), /"route":"\/v1\/chat\/completions"/);
    assert.doesNotMatch(hearth.logs(), /inf-|Hello there/);
    const files = await readdir(hearth.dataDirectory, { recursive: true, withFileTypes: true });
    const kept = files.filter((file) => file.isFile() && file.name !== "config-variables.json");
    assert.ok(kept.some(({ name }) => name.startsWith("hearth.db")));
    for (const { parentPath, name } of kept) {
      const bytes = await readFile(join(parentPath, name), "latin1");
      assert.doesNotMatch(bytes, new RegExp(`${key}|Hello there`), name);
    }
    await hearth.stop();
    await upstream.close();
  });
});
