// What a start provisions and fetches, with weights that are as far as the test says.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { afterEach, describe, it } from "node:test";
import { request } from "undici";
import { chat } from "../../test/support/chat.ts";
import { temporaryDirectory } from "../../test/support/hearth.ts";
import { parseConfig } from "../config/index.ts";
import { createLog } from "../ops/index.ts";
import type { WeightsStore } from "../weights/index.ts";
import { type Service, startService } from "./service.ts";

const engine = { type: "openai", base_url: "http://127.0.0.1:9/v1" };

class DistantWeights implements WeightsStore {
  readonly pulled: string[] = [];
  readonly find = async (): Promise<undefined> => undefined;
  readonly pull: WeightsStore["pull"] = ({ source }, { signal, onProgress } = {}) => {
    this.pulled.push(source);
    onProgress?.({ stage: "fetching", doneBytes: 41, totalBytes: 100 });
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  };
}

const clean: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of clean.splice(0).reverse()) await each();
});

async function open() {
  const dataDirectory = await temporaryDirectory();
  clean.push(() => rm(dataDirectory, { recursive: true }));
  const weights = new DistantWeights();
  const start = async (config: object = {}): Promise<Service> => {
    const service = await startService({
      config: parseConfig(JSON.stringify({ http: { port: 0 }, ...config }), "hearth.json", {}),
      dataDirectory,
      weights,
      log: createLog({ level: "silent" }),
    });
    clean.push(() => service.stop());
    return service;
  };
  const stop = async (service: Service): Promise<void> => {
    clean.pop();
    await service.stop();
  };
  return { start, stop, weights };
}

describe("the first start", () => {
  it("provisions the small model that runs inside, under INFERENCE", async () => {
    const { start } = await open();
    const { firstResources, url } = await start();
    assert.equal(firstResources.length, 1);
    const { model, alias, config } = firstResources[0] ?? assert.fail();
    assert.deepEqual([model, alias], ["hearth-1-haiku", "INFERENCE"]);
    assert.deepEqual(Object.keys(config), ["INFERENCE_URL", "INFERENCE_KEY", "INFERENCE_MODEL_ID"]);
    assert.equal(config.INFERENCE_URL, url);
  });

  it("is ready while the weights are still being fetched, and a call is told how far they are", async () => {
    const { start, weights } = await open();
    const { firstResources, fetching, url } = await start({ local: { weights_wait: "1ms" } });
    assert.deepEqual(await fetching, ["hearth-1-haiku"]);
    assert.equal(weights.pulled.length, 1);
    const ready = await request(`${url}/readyz`);
    assert.equal(ready.statusCode, 200);
    await ready.body.dump();
    const key = firstResources[0]?.config.INFERENCE_KEY ?? "";
    const reply = await chat({ url, key, model: "hearth-1-haiku" });
    assert.equal(reply.statusCode, 503);
    assert.ok(Number(reply.headers["retry-after"]) >= 1);
    assert.match(await reply.body.text(), /hearth-1-haiku is fetching weights: 41 %/);
  });

  it("provisions nothing where the operator has chat models, and fetches nothing", async () => {
    const { start, weights } = await open();
    const { firstResources, fetching } = await start({ models: { "my-haiku": { engine } } });
    assert.deepEqual([firstResources, await fetching, weights.pulled], [[], [], []]);
  });

  it("provisions nothing where models inside are switched off", async () => {
    const { start } = await open();
    const { firstResources, catalog } = await start({ local: { models: false } });
    assert.deepEqual([firstResources, catalog.available()], [[], []]);
  });

  it("still provisions when the operator only limits the model, or has other kinds", async () => {
    const { start } = await open();
    const { firstResources } = await start({
      models: {
        "hearth-1-haiku": { limits: { requests: 5 } },
        "my-embedder": { kind: "embedding", engine },
      },
    });
    assert.equal(firstResources.length, 1);
  });
});

describe("a later start", () => {
  it("provisions nothing more, and goes on with the weights", async () => {
    const { start, stop, weights } = await open();
    await stop(await start());
    const { firstResources, admin, fetching } = await start();
    assert.deepEqual([firstResources, (await admin.resources()).length], [[], 1]);
    assert.deepEqual(await fetching, ["hearth-1-haiku"]);
    assert.equal(weights.pulled.length, 2);
  });

  it("respects that the operator destroyed the resource", async () => {
    const { start, stop } = await open();
    const first = await start();
    await first.admin.destroy("INFERENCE");
    await stop(first);
    const { firstResources, admin, fetching } = await start();
    assert.deepEqual([firstResources, await admin.resources(), await fetching], [[], [], []]);
  });

  it("provisions what an earlier one did not, once the operator's own models are gone", async () => {
    const { start, stop } = await open();
    await stop(await start({ models: { "my-haiku": { engine } } }));
    assert.equal((await start()).firstResources.length, 1);
  });

  it("leaves it at that where the operator had provisioned a chat model before", async () => {
    const { start, stop } = await open();
    const first = await start({ models: { "my-haiku": { engine } } });
    await first.admin.create({ model: "my-haiku" });
    await stop(first);
    const { firstResources, admin } = await start({ models: { "my-haiku": { engine } } });
    assert.deepEqual([firstResources, (await admin.resources()).length], [[], 1]);
  });
});
