// Calls to a model that runs inside, over a real process that has no model in it.

import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { startMockUpstream } from "../../../test/support/mock-upstream.ts";
import { createTestUpstream } from "../../../test/support/mock-upstream-caller.ts";
import { createChatEngine } from "../create-chat-engine.ts";
import { until } from "../process/fixtures/open-process.ts";
import { ask, asking, closeAll, openLlama, start } from "./fixtures/open-llama.ts";

afterEach(closeAll);

describe("a call to a model that runs inside", () => {
  it("loads the model and gives its events in order", async () => {
    const { engine, dataDirectory } = await openLlama();
    const { sink, outcome } = start(engine, "hello");
    await outcome;
    assert.deepEqual(
      sink.events.map(({ type }) => type),
      ["text", "finish", "usage"],
    );
    assert.deepEqual(engine.status(), [{ name: "local/a-haiku", state: "healthy", inFlight: 0 }]);
    assert.equal((await stat(join(dataDirectory, "prompts"))).mode & 0o777, 0o700);
  });

  it("of many, all at once, gets an answer each from one process", async () => {
    const { engine, log } = await openLlama();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(engine, "hello")));
    assert.deepEqual(new Set(answers), new Set(["Hello"]));
    assert.equal(log.filter((line) => line === "loaded").length, 1);
  });

  it("that the model refuses is refused with its words, and not tried again", async () => {
    const { engine } = await openLlama();
    await assert.rejects(ask(engine, "refuse"), {
      status: 400,
      type: "invalid_request_error",
      message: "the prompt has 3000 tokens, and the context 2048",
    });
    assert.equal(await ask(engine, "tell"), "load, run 1, run 2");
  });

  it("that ends without a finish is a failure, not an empty answer", async () => {
    const { engine } = await openLlama({ upstream: { attempts: 1 } });
    await assert.rejects(ask(engine, "stop short"), { status: 502, message: /without finishing/ });
  });

  it("hears nothing of what comes after its end", async () => {
    const { engine } = await openLlama();
    const { sink, outcome } = start(engine, "talk on");
    await outcome;
    assert.equal(await ask(engine, "hello"), "Hello");
    assert.equal(sink.text, "Hello");
  });
});

describe("a caller who goes away", () => {
  it("stops the work at once", async () => {
    const { engine } = await openLlama();
    const controller = new AbortController();
    const reason = new Error("gone");
    const { sink, outcome } = start(engine, "begin", controller.signal);
    await sink.firstEvent();
    controller.abort(reason);
    await assert.rejects(outcome, (error) => error === reason);
    assert.equal(engine.status()[0]?.inFlight, 0);
    assert.equal(await ask(engine, "tell"), "load, run 1, cancel 1, run 2");
  });

  it("while the model is being loaded costs the others nothing", async () => {
    const { engine } = await openLlama();
    const controller = new AbortController();
    const gone = start(engine, "hello", controller.signal);
    const stays = ask(engine, "tell");
    controller.abort(new Error("gone"));
    await assert.rejects(gone.outcome, /gone/);
    assert.equal(await stays, "load, run 1");
  });

  it("before anything was done starts nothing", async () => {
    const { engine, log } = await openLlama();
    await assert.rejects(
      start(engine, "hello", AbortSignal.abort(new Error("gone"))).outcome,
      /gone/,
    );
    assert.deepEqual(log, []);
  });
});

describe("a reader who is slow", () => {
  it("has its own call paused until it has caught up", async () => {
    const { engine } = await openLlama();
    const { sink, outcome } = start(engine, "flood");
    sink.stick();
    await sink.firstEvent();
    assert.match(await ask(engine, "tell"), /^load, run 1, pause 1, run 2$/);
    assert.equal(await ask(engine, "hello"), "Hello", "others are not held up");
    sink.release();
    await outcome;
    assert.equal(sink.text, Array.from({ length: 100 }, (_, n) => `${n} `).join(""));
    assert.match(await ask(engine, "tell"), /resume 1/);
  });

  it("who goes away is not resumed", async () => {
    const { engine } = await openLlama();
    const controller = new AbortController();
    const { sink, outcome } = start(engine, "flood", controller.signal);
    sink.stick();
    await sink.firstEvent();
    controller.abort(new Error("gone"));
    await assert.rejects(outcome, /gone/);
    sink.release();
    assert.doesNotMatch(await ask(engine, "tell"), /resume/);
  });

  it("whose sink breaks ends its call alone", async () => {
    const { engine } = await openLlama({ upstream: { attempts: 1 } });
    const broken = {
      write(): boolean {
        throw new Error("broken");
      },
      drained: () => Promise.resolve(),
    };
    const run = engine.run(asking("begin"), broken, new AbortController().signal);
    await assert.rejects(run, { status: 500 });
    assert.equal(await ask(engine, "tell"), "load, run 1, cancel 1, run 2");
  });
});

describe("a model's process that dies under its calls", () => {
  for (const deed of ["crash", "abort"]) {
    it(`by ${deed} fails all of them at once, after whole events, and the next get a new one`, async () => {
      const { engine, clock } = await openLlama();
      const running = start(engine, "begin");
      await running.sink.firstEvent();
      const waiting = start(engine, "be silent");
      const culprit = start(engine, deed);
      const error = {
        status: 502,
        type: "server_error",
        message: "the engine of a-haiku stopped; try again",
      };
      for (const each of [running, waiting, culprit]) await assert.rejects(each.outcome, error);
      assert.equal(running.sink.text, "Hel");
      assert.equal(engine.status()[0]?.state, "open");
      const next = ask(engine, "tell");
      await until(() => clock.pending.includes(500));
      clock.advance(500);
      assert.equal(await next, "load, run 4", "a call that crashed it is not given to the new one");
    });
  }

  it("does not touch another model", async () => {
    const { engine, open } = await openLlama();
    const other = open("b-sonnet", { threads: 1 });
    assert.equal(await ask(other, "hello"), "Hello");
    const running = start(other, "begin");
    await running.sink.firstEvent();
    await assert.rejects(ask(engine, "abort"), { status: 502 });
    assert.equal(await ask(other, "tell"), "load, run 1, run 2, run 3");
  });

  it("by a hang fails them when it is found out", async () => {
    const { engine, clock, log } = await openLlama();
    await ask(engine, "hello");
    const { outcome } = start(engine, "hang");
    await new Promise(setImmediate);
    for (let beat = 0; beat < 13; beat++) clock.advance(5000);
    await assert.rejects(outcome, { status: 502, message: /stopped; try again/ });
    assert.ok(log.includes("the engine gave no sign of life for 60 s"));
  });

  it("before it was loaded gives 503 with its reason", async () => {
    const { engine } = await openLlama({ file: "broken.gguf" });
    await assert.rejects(ask(engine, "hello"), {
      status: 503,
      message: "the engine of a-haiku could not be loaded: this is no GGUF",
      retryAfterSeconds: 1,
    });
  });

  it("at the end of the service fails what still runs", async () => {
    const { engine } = await openLlama();
    const { sink, outcome } = start(engine, "begin");
    await sink.firstEvent();
    await engine.close();
    await assert.rejects(outcome, { status: 502 });
  });
});

describe("a queue that is full", () => {
  it("is 503 with Retry-After, at once", async () => {
    const { engine } = await openLlama({ config: { sequences: 1, max_queue: 1 } });
    const running = [start(engine, "begin"), start(engine, "be silent")];
    await running[0]?.sink.firstEvent();
    await assert.rejects(ask(engine, "hello"), { status: 503, retryAfterSeconds: 1 });
  });

  it("is one queue for the models that share a process", async () => {
    const { engine, open } = await openLlama({ config: { sequences: 1, max_queue: 1 } });
    const other = open("b-sonnet");
    const running = [start(engine, "begin"), start(other, "begin")];
    await Promise.all(running.map(({ sink }) => sink.firstEvent()));
    await assert.rejects(ask(other, "hello"), {
      status: 503,
      message: "a-haiku is busy, and 1 calls wait for it already; try again",
      retryAfterSeconds: 1,
    });
  });
});

describe("a pool of a model inside and an upstream", () => {
  it("answers from the upstream while the model inside rests", async () => {
    const { open, llama, clock } = await openLlama({ file: "broken.gguf" });
    open("another");
    const upstream = await startMockUpstream();
    const engine = createChatEngine({
      model: {
        id: "a-haiku",
        context: 2048,
        cacheMinTokens: 1024,
        engines: [
          { type: "llama", weights: "file:model.gguf", weight: 1e9 },
          { type: "openai", base_url: upstream.url },
        ],
      },
      upstream: createTestUpstream(),
      llama,
      clock,
      random: () => 0,
    });
    assert.equal(await ask(engine, "hello"), "hello", "the mock upstream echoes");
    assert.equal(await ask(engine, "again"), "again");
    assert.deepEqual(
      engine.status().map(({ state }) => state),
      ["open", "healthy"],
    );
    await engine.close();
    await upstream.close();
  });
});

describe("models with the same weights and settings", () => {
  it("share one process, which ends with the last of them", async () => {
    const { engine, open, log } = await openLlama();
    const other = open("b-sonnet");
    assert.equal(await ask(engine, "hello"), "Hello");
    assert.equal(await ask(other, "tell"), "load, run 1, run 2");
    await engine.close();
    assert.equal(await ask(other, "tell"), "load, run 1, run 2, run 3");
    assert.equal(log.filter((line) => line === "loaded").length, 1);
  });

  it("tell of it in one reading", async () => {
    const { engine, open, llama, clock } = await openLlama();
    open("b-sonnet");
    assert.deepEqual(llama.readings(), []);
    await ask(engine, "hello");
    clock.advance(5000);
    await until(() => llama.readings().length > 0);
    assert.deepEqual(
      llama.readings().map(({ model, stats }) => [model, stats.cacheHits]),
      [["a-haiku", 5]],
    );
  });
});
