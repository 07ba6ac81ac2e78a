import assert from "node:assert/strict";
import { access, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Clock } from "../../clock.ts";
import { PrefixCache } from "./prefix-cache.ts";

class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.#timers.set(callback, this.#now + milliseconds);
    return () => this.#timers.delete(callback);
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [callback, at] of [...this.#timers]) {
      if (at > this.#now || !this.#timers.delete(callback)) continue;
      callback();
    }
  }
}

async function openCache(maxBytes = 100) {
  const clock = new FakeClock();
  const directory = join(await mkdtemp(join(tmpdir(), "hearth-prefix-")), "prefixes");
  const cache = await PrefixCache.open({ directory, maxBytes, idleMs: 300_000, clock });
  const keep = (caller: string, tokens: number[], bytes = 10) =>
    cache.keep(caller, tokens, async (path) => {
      await writeFile(path, "state");
      return bytes;
    });
  return { cache, clock, directory, keep };
}

describe("kept prefixes", () => {
  test("are found by the caller and the very tokens", async () => {
    const { cache, keep } = await openCache();
    const kept = await keep("one", [1, 2, 3]);
    assert.equal(cache.find("one", [1, 2, 3]), kept);
    assert.equal(cache.find("two", [1, 2, 3]), undefined);
    assert.equal(cache.find("one", [1, 2]), undefined);
    assert.equal(cache.find("one", [1, 2, 3, 4]), undefined);
    assert.deepEqual(
      cache.prefixes.map(({ tokens }) => tokens),
      [[1, 2, 3]],
    );
  });

  test("are dropped after five minutes without use, file and all", async () => {
    const { cache, clock, keep, directory } = await openCache();
    const kept = await keep("one", [1]);
    clock.pass(200_000);
    assert.notEqual(cache.find("one", [1]), undefined);
    clock.pass(299_999);
    assert.equal(cache.stats.entries, 1);
    clock.pass(1);
    assert.equal(cache.stats.entries, 0);
    assert.equal(cache.stats.bytes, 0);
    await assert.rejects(async () => {
      for (;;) await access(kept?.path ?? directory);
    });
  });

  test("make room for new ones, the least recently used first", async () => {
    const { cache, keep } = await openCache(25);
    await keep("one", [1]);
    await keep("one", [2]);
    cache.find("one", [1]);
    await keep("one", [3]);
    assert.deepEqual(
      cache.prefixes.map(({ tokens }) => tokens),
      [[1], [3]],
    );
    assert.equal(cache.stats.bytes, 20);
  });

  test("are not kept when one alone is over the bound", async () => {
    const { cache, keep } = await openCache(25);
    assert.equal(await keep("one", [1], 26), undefined);
    assert.equal(cache.stats.bytes, 0);
  });

  test("are saved once, however often they come", async () => {
    const { cache, keep, directory } = await openCache();
    const first = await keep("one", [1]);
    assert.equal(await keep("one", [1]), first);
    assert.equal((await readdir(directory)).length, 1);
    assert.equal(cache.stats.bytes, 10);
  });

  test("of an earlier life are gone when the cache opens", async () => {
    const { directory, clock, keep } = await openCache();
    await keep("one", [1]);
    await PrefixCache.open({ directory, maxBytes: 1, idleMs: 1, clock });
    assert.deepEqual(await readdir(directory), []);
  });
});
