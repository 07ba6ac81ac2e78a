// Streams end honestly: a failure is a failure in the caller's own dialect, a slow reader
// costs only itself, and a server that must go lets what runs finish.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chat, configFor, framesOf } from "../support/chat.ts";
import { spawnHearth, startHearth } from "../support/hearth.ts";
import { type Behaviour, startMockUpstream } from "../support/mock-upstream.ts";
import { openRaw } from "../support/raw-connection.ts";

const piece = (text: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;

const beginThen =
  (end: (response: Parameters<Behaviour>[1]) => void): Behaviour =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(piece("Once upon"), () => end(response));
  };

async function withService(
  work: (parts: {
    upstream: Awaited<ReturnType<typeof startMockUpstream>>;
    hearth: Awaited<ReturnType<typeof startHearth>>;
    target: { url: string; key: string };
  }) => Promise<void>,
  more: Readonly<Record<string, unknown>> = {},
) {
  const upstream = await startMockUpstream();
  const hearth = await startHearth(configFor(upstream.url, {}, more));
  const target = { url: hearth.url, key: await hearth.key("my-haiku") };
  try {
    await work({ upstream, hearth, target });
  } finally {
    await hearth.stop();
    await upstream.close();
  }
}

describe("an upstream that dies in the middle of a stream", () => {
  it("leaves one error frame after complete frames, and no [DONE]", () =>
    withService(async ({ upstream, target }) => {
      upstream.script(beginThen((response) => response.destroy()));
      const reply = await chat(target, { body: { stream: true } });
      assert.equal(reply.statusCode, 200);
      const text = await reply.body.text();
      const frames = framesOf(text);
      const last = JSON.parse(frames.at(-1) ?? "");
      assert.equal(last.error.code, 502);
      assert.equal(last.error.type, "server_error");
      assert.equal(last.error.request_id, reply.headers["x-request-id"]);
      assert.equal(frames.filter((frame) => frame.includes('"error"')).length, 1);
      assert.doesNotMatch(text, /\[DONE\]/);
      assert.ok(text.endsWith("\n\n"));
    }));

  it("before its first event is a status, not a 200 with an error in it", () =>
    withService(
      async ({ upstream, target }) => {
        upstream.script((_, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(": waiting\n\n", () => response.destroy());
        });
        const reply = await chat(target, { body: { stream: true } });
        assert.equal(reply.statusCode, 502);
        assert.equal(reply.headers["content-type"], "application/json");
        await reply.body.dump();
      },
      { upstream: { attempts: 1 } },
    ));

  it("with an error frame of its own leaves one too", () =>
    withService(async ({ upstream, target }) => {
      upstream.script(
        beginThen((response) =>
          response.end('data: {"error":{"message":"out of memory","code":500}}\n\n'),
        ),
      );
      const text = await (await chat(target, { body: { stream: true } })).body.text();
      assert.equal(JSON.parse(framesOf(text).at(-1) ?? "").error.code, 502);
      assert.doesNotMatch(text, /\[DONE\]/);
    }));
});

describe("a slow reader", () => {
  it("stops its own upstream and nobody else's", () =>
    withService(async ({ upstream, hearth, target }) => {
      let sent = 0;
      const block = piece("x".repeat(16_000));
      upstream.script((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const pump = () => {
          while (sent < 200_000_000) {
            sent += block.length;
            if (!response.write(block)) {
              response.once("drain", pump);
              return;
            }
          }
        };
        pump();
      });
      const slow = await openRaw(Number(new URL(hearth.url).port));
      const body = '{"model":"my-haiku","stream":true,"messages":[{"role":"user","content":"Go"}]}';
      slow.send(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${target.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await slow.until("HTTP/1.1 200");
      slow.socket.pause();
      for (let n = 0; n < 30; n++) {
        const quick = await chat(target, { body: { stream: true } });
        assert.match(await quick.body.text(), /\[DONE\]/);
      }
      assert.ok(sent < 60_000_000, `${sent} bytes were taken from the upstream`);
      slow.destroy();
    }));
});

describe("SIGTERM", () => {
  it("turns /readyz to 503, lets a stream finish, refuses new connections, and exits with 0", async () => {
    const upstream = await startMockUpstream();
    const hearth = await spawnHearth({
      config: configFor(upstream.url, {}, { shutdown: { drain: "300ms", grace: "20s" } }),
    });
    const created = JSON.parse(
      (await hearth.command("models", "create", "my-haiku", "--json")).stdout,
    );
    const target = { url: hearth.url, key: created.config.INFERENCE_KEY as string };
    let finish = () => {};
    upstream.script(
      beginThen((response) => {
        finish = () =>
          response.end(
            'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          );
      }),
    );
    const port = Number(new URL(hearth.url).port);
    const streaming = await chat(target, { body: { stream: true } });
    const watcher = await openRaw(port);
    const ended = hearth.end("SIGTERM");
    const asked = (async () => {
      // The signal takes a moment to arrive: asked until the answer changes.
      for (;;) {
        const before = watcher.received().length;
        watcher.send("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
        await watcher.until(new RegExp(`[\\s\\S]{${before + 20},}\\}$`));
        if (watcher.received().includes("HTTP/1.1 503")) return;
      }
    })();
    await asked;
    finish();
    assert.match(await streaming.body.text(), /\[DONE\]/);
    assert.deepEqual(await ended, { code: 0, signal: null });
    await assert.rejects(openRaw(port));
    await upstream.close();
  });

  it("ends what still runs after the grace with an error frame", async () => {
    const upstream = await startMockUpstream();
    const hearth = await spawnHearth({
      config: configFor(upstream.url, {}, { shutdown: { drain: "0s", grace: "100ms" } }),
    });
    const created = JSON.parse(
      (await hearth.command("models", "create", "my-haiku", "--json")).stdout,
    );
    upstream.script(beginThen(() => {}));
    const streaming = await chat(
      { url: hearth.url, key: created.config.INFERENCE_KEY },
      { body: { stream: true } },
    );
    const ended = hearth.end("SIGTERM");
    const text = await streaming.body.text();
    assert.match(text, /"type":"overloaded_error"/);
    assert.match(text, /shutting down/);
    assert.doesNotMatch(text, /\[DONE\]/);
    assert.deepEqual(await ended, { code: 0, signal: null });
    await upstream.close();
  });
});
