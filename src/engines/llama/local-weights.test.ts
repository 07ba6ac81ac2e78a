// Calls that come before the weights are here.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { invalidRequest } from "../../call/index.ts";
import type { PullProgress, WeightsStore } from "../../weights/weights.ts";
import { until } from "../process/fixtures/open-process.ts";
import { ask, closeAll, openLlama, start } from "./fixtures/open-llama.ts";

afterEach(closeAll);

/** A source whose pull goes as the test says. */
class ScriptedWeights implements WeightsStore {
  path: string | undefined;
  pulls = 0;
  aborted = false;
  #progress: (progress: PullProgress) => void = () => {};
  #end = Promise.withResolvers<string>();

  readonly find = async (): Promise<string | undefined> => this.path;

  readonly pull: WeightsStore["pull"] = (_, { signal, onProgress } = {}) => {
    this.pulls += 1;
    this.#progress = onProgress ?? this.#progress;
    this.#end = Promise.withResolvers();
    signal?.addEventListener("abort", () => {
      this.aborted = true;
      this.#end.reject(signal.reason);
    });
    return this.#end.promise;
  };

  reach(percent: number): void {
    const totalBytes = 308 * 1024 ** 2;
    const doneBytes = (totalBytes * percent) / 100;
    this.#progress({ stage: "fetching", doneBytes, totalBytes });
  }

  arrive(path: string): void {
    this.path = path;
    this.#end.resolve(path);
  }

  fail(error: Error): void {
    this.#end.reject(error);
  }
}

async function open() {
  const weights = new ScriptedWeights();
  const opened = await openLlama({ weights });
  const file = join(opened.dataDirectory, "model.gguf");
  await writeFile(file, "GGUF");
  return { ...opened, weights, file };
}

describe("weights that are missing", () => {
  it("are fetched once for all who wait, and then used", async () => {
    const { engine, weights, file } = await open();
    const answers = [ask(engine, "hello"), ask(engine, "hello")];
    await until(() => weights.pulls > 0);
    weights.arrive(file);
    assert.deepEqual(await Promise.all(answers), ["Hello", "Hello"]);
    assert.equal(weights.pulls, 1);
  });

  it("are waited for a while, and then 503 says how far they are", async () => {
    const { engine, weights, clock, file } = await open();
    const first = start(engine, "hello");
    await until(() => weights.pulls > 0);
    clock.advance(10_000);
    weights.reach(41.5);
    clock.advance(10_000);
    await assert.rejects(first.outcome, {
      status: 503,
      type: "overloaded_error",
      message: "a-haiku is fetching weights: 41 % of 308 MiB",
      retryAfterSeconds: 29,
    });
    const second = ask(engine, "hello");
    await new Promise(setImmediate);
    weights.arrive(file);
    assert.equal(await second, "Hello");
    assert.equal(weights.pulls, 1);
  });

  it("show in the log how far they are, every few seconds", async () => {
    const { engine, weights, clock, log } = await open();
    start(engine, "hello");
    await until(() => weights.pulls > 0);
    for (let percent = 1; percent <= 12; percent++) {
      clock.advance(1000);
      weights.reach(percent);
    }
    assert.deepEqual(log, [
      "fetching weights",
      "fetching weights: 5 % of 308 MiB",
      "fetching weights: 10 % of 308 MiB",
    ]);
  });

  it("that cannot be had give 503 with the reason, and are not asked for again at once", async () => {
    const { engine, weights, clock, file } = await open();
    const first = start(engine, "hello");
    await until(() => weights.pulls > 0);
    weights.fail(invalidRequest("the registry does not know this package"));
    const refusal = {
      status: 503,
      message: "a-haiku could not fetch its weights: the registry does not know this package",
      retryAfterSeconds: 5,
    };
    await assert.rejects(first.outcome, refusal);
    await assert.rejects(ask(engine, "hello"), refusal);
    assert.equal(weights.pulls, 1);
    clock.advance(5000);
    const later = ask(engine, "hello");
    await until(() => weights.pulls === 2);
    weights.arrive(file);
    assert.equal(await later, "Hello");
  });

  it("are fetched before anybody asks, where the service wants it", async () => {
    const { engine, llama, weights, file, log } = await open();
    llama.prepare("a-haiku");
    llama.prepare("no-such-model");
    await until(() => weights.pulls > 0);
    weights.arrive(file);
    await until(() => log.includes("the weights are here"));
    assert.equal(await ask(engine, "hello"), "Hello");
    llama.prepare("a-haiku");
    await new Promise(setImmediate);
    assert.equal(weights.pulls, 1);
  });

  it("keep nobody who goes away, and are fetched no further when the service ends", async () => {
    const { engine, weights } = await open();
    const controller = new AbortController();
    const gone = start(engine, "hello", controller.signal);
    await until(() => weights.pulls > 0);
    controller.abort(new Error("gone"));
    await assert.rejects(gone.outcome, /gone/);
    assert.equal(weights.aborted, false);
    const waiting = start(engine, "hello");
    await new Promise(setImmediate);
    await engine.close();
    await assert.rejects(waiting.outcome, { status: 503 });
    assert.equal(weights.aborted, true);
  });
});
