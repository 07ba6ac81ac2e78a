// The engine as the rest of the house sees it, over real sockets.

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { type MockUpstream, startMockUpstream } from "../../test/support/mock-upstream.ts";
import {
  after,
  dieAfter,
  hang,
  reset,
  stall,
  status,
} from "../../test/support/mock-upstream-behaviours.ts";
import {
  createTestCall,
  createTestUpstream,
  ManualClock,
  RecordingSink,
} from "../../test/support/mock-upstream-caller.ts";
import { reply } from "../../test/support/mock-upstream-reply.ts";
import type { UpstreamConfig } from "../config/index.ts";
import { createChatEngine } from "./create-chat-engine.ts";
import type { ChatEngine } from "./engine.ts";

const HELLO = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';
const streaming = createTestCall({ stream: true });
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function startUpstreams(count: number): Promise<MockUpstream[]> {
  const upstreams = await Promise.all(Array.from({ length: count }, () => startMockUpstream()));
  opened.push(...upstreams);
  return upstreams;
}

function createEngine(upstreams: readonly MockUpstream[], config: Partial<UpstreamConfig> = {}) {
  const clock = new ManualClock();
  const transitions: string[] = [];
  const engine: ChatEngine = createChatEngine({
    model: {
      id: "public-id",
      context: 4096,
      cacheMinTokens: 1024,
      engines: upstreams.map(({ url }) => ({ type: "openai", base_url: url, api_key: "secret" })),
    },
    upstream: createTestUpstream(config),
    clock,
    random: () => 0,
    onTransition: (_target, state) => transitions.push(state),
  });
  opened.push(engine);
  return { engine, clock, transitions };
}

async function run(engine: ChatEngine, call = streaming): Promise<string> {
  const sink = new RecordingSink();
  await engine.run(call, sink, new AbortController().signal);
  return sink.text;
}

describe("an engine with one upstream", () => {
  test("answers, and says how it is", async () => {
    const upstreams = await startUpstreams(1);
    const { engine } = createEngine(upstreams);
    assert.equal(await run(engine), "Hello");
    const name = `127.0.0.1:${upstreams[0]?.port}/public-id`;
    assert.deepEqual(engine.status(), [{ name, state: "healthy", inFlight: 0 }]);
  });

  test("tries again after a reset and after 500", async () => {
    const upstreams = await startUpstreams(1);
    const { engine, clock } = createEngine(upstreams);
    upstreams[0]?.script(reset, status(500));
    const running = run(engine);
    for (let pauses = 0; pauses < 2; pauses++) {
      await clock.alarmSet();
      clock.advance(5000);
    }
    assert.equal(await running, "Hello");
    assert.equal(upstreams[0]?.requests.length, 3);
  });

  test("comes back by itself after the upstream was away", async () => {
    const [upstream] = await startUpstreams(1);
    assert.ok(upstream !== undefined);
    const { engine, clock, transitions } = createEngine([upstream], {
      attempts: 1,
      breaker_failures: 2,
    });
    upstream.script(status(500), status(500));
    upstream.modelsStatus = 503;
    await assert.rejects(run(engine), { status: 502 });
    await assert.rejects(run(engine), { status: 502 });
    await assert.rejects(run(engine), { status: 503, retryAfterSeconds: 2 });
    assert.equal(upstream.requests.length, 2);

    clock.advance(2000);
    await clock.alarmSet();
    assert.deepEqual(clock.pending, [4000], "the probe was answered 503");
    upstream.modelsStatus = 200;
    clock.advance(4000);
    while (engine.status()[0]?.state !== "probing") await new Promise(setImmediate);
    assert.equal(await run(engine), "Hello");
    assert.deepEqual(transitions, ["open", "probing", "healthy"]);
    assert.equal(upstream.probes, 2);
  });

  test("stops at once for a caller who goes away while it waits to try again", async () => {
    const [upstream] = await startUpstreams(1);
    assert.ok(upstream !== undefined);
    const { engine, clock } = createEngine([upstream]);
    upstream.script(status(500));
    const controller = new AbortController();
    const reason = new Error("gone");
    const running = engine.run(streaming, new RecordingSink(), controller.signal);
    await clock.alarmSet();
    controller.abort(reason);
    await assert.rejects(running, (error) => error === reason);
    assert.deepEqual([upstream.requests.length, clock.pending.length], [1, 0]);
  });

  test("sends nothing for a caller who went away in the queue", async () => {
    const [upstream] = await startUpstreams(1);
    assert.ok(upstream !== undefined);
    const { engine } = createEngine([upstream], { connections: 1 });
    const release = Promise.withResolvers<void>();
    upstream.script(after(release.promise, reply()));
    const first = run(engine);
    await upstream.request(1);
    const controller = new AbortController();
    const reason = new Error("gone");
    const second = engine.run(streaming, new RecordingSink(), controller.signal);
    await new Promise(setImmediate);
    assert.equal(engine.status()[0]?.inFlight, 2);
    controller.abort(reason);
    await assert.rejects(second, (error) => error === reason);
    release.resolve();
    assert.equal(await first, "Hello");
    assert.equal(await run(engine), "Hello");
    assert.equal(upstream.requests.length, 2);
  });

  test("cuts what runs and what waits when it is closed", async () => {
    const [upstream] = await startUpstreams(1);
    assert.ok(upstream !== undefined);
    const { engine, clock } = createEngine([upstream], { connections: 1, breaker_failures: 1 });
    upstream.script(stall(HELLO));
    const sink = new RecordingSink();
    const running = engine.run(streaming, sink, new AbortController().signal);
    const waiting = run(engine);
    const outcomes = Promise.allSettled([running, waiting]);
    await sink.firstEvent();
    await engine.close();
    const statuses = (await outcomes).map(
      (each) => each.status === "rejected" && each.reason.status,
    );
    assert.deepEqual(statuses, [502, 503]);
    await assert.rejects(run(engine), { status: 503 });
    assert.deepEqual(clock.pending, []);
  });
});

describe("an engine with several upstreams", () => {
  test("fails over before the first event, and the caller sees one whole answer", async () => {
    const [first, second] = await startUpstreams(2);
    assert.ok(first !== undefined && second !== undefined);
    const { engine } = createEngine([first, second]);
    first.script(dieAfter('data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'));
    assert.equal(await run(engine), "Hello");
    assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
  });

  test("does not fail over in the middle of an answer", async () => {
    const [first, second] = await startUpstreams(2);
    assert.ok(first !== undefined && second !== undefined);
    const { engine } = createEngine([first, second]);
    first.script(dieAfter(HELLO));
    await assert.rejects(run(engine), { status: 502 });
    assert.equal(second.requests.length, 0);
  });

  test("survives the loss of one while calls are running on it", async () => {
    const [first, second] = await startUpstreams(2);
    assert.ok(first !== undefined && second !== undefined);
    const { engine } = createEngine([first, second]);
    first.script(...Array.from({ length: 10 }, () => hang));
    const calls = Array.from({ length: 20 }, () => run(engine));
    await first.request(10);
    first.resetConnections();
    assert.deepEqual(new Set(await Promise.all(calls)), new Set(["Hello"]));
  });
});

test("a model that nothing runs has no engine", () => {
  assert.throws(
    () =>
      createChatEngine({
        model: { id: "x", context: 4096, cacheMinTokens: 1024, engines: [] },
        upstream: createTestUpstream(),
      }),
    /nothing runs/,
  );
});
