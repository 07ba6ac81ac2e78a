import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Call } from "../../../call/index.ts";
import { callOf, scriptedSettings, WorkerProcess } from "./worker-process-fixture.ts";

const system = "q".repeat(150);
/** Beginning, role, and a token for each letter. */
const prefixTokens = 152;

const asked = (user: string, changes: Partial<Call> = {}): Call =>
  callOf(user, { system: [{ type: "text", text: system }], ...changes });

/** A kept state begins with a magic number, a version, the count of its tokens, and those. */
async function readKeptTokens(directory: string): Promise<number[][]> {
  const names = await readdir(directory);
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(directory, name));
      const count = bytes.readUInt32LE(8);
      return Array.from({ length: count }, (_, index) => bytes.readUInt32LE(12 + index * 4));
    }),
  );
}

describe("a worker that keeps prompt prefixes", () => {
  let worker: WorkerProcess;
  let directory: string;

  before(async () => {
    const settings = await scriptedSettings(
      { "@one": { says: "the first answer" }, "@loop": { says: ["tick "], after: "repeat" } },
      { cacheMinTokens: 100, sequences: 3 },
    );
    directory = settings.cacheDirectory;
    worker = new WorkerProcess(settings);
    await worker.load();
  });

  after(() => worker.stop());

  test("reads a caller's prefix once, and counts what it did not read again", async () => {
    const first = await worker.run(asked("private words @one"));
    assert.equal(first.usage?.cachedTokens, 0);
    assert.equal(first.usage?.cacheWriteTokens, prefixTokens);
    const second = await worker.run(asked("other words @one"));
    assert.equal(second.usage?.cachedTokens, prefixTokens);
    assert.equal(second.usage?.cacheWriteTokens, 0);
    assert.equal(second.text, first.text);
    const { cacheEntries, cacheHits, cacheMisses, cacheBytes } = await worker.stats();
    assert.deepEqual([cacheEntries, cacheHits, cacheMisses], [1, 1, 1]);
    assert.ok(cacheBytes > 0);
  });

  test("keeps the tokens of the system prompt and not one of the conversation", async () => {
    const [tokens] = await readKeptTokens(directory);
    assert.equal(tokens?.length, prefixTokens);
    const [begin, role, ...letters] = tokens ?? [];
    assert.equal(begin, 1);
    assert.equal(role, 259);
    // Byte tokens follow the three special ones.
    assert.deepEqual(new Set(letters), new Set(["q".charCodeAt(0) + 3]));
  });

  test("gives a prefix to several calls of its caller at once", async () => {
    const outcomes = await Promise.all(
      ["@one", "x@one", "y@one"].map((user) => worker.run(asked(user))),
    );
    assert.deepEqual(
      outcomes.map(({ usage }) => usage?.cachedTokens),
      [prefixTokens, prefixTokens, prefixTokens],
    );
  });

  test("gives nobody another caller's prefix", async () => {
    const { usage } = await worker.run(asked("@one", { caller: "stranger" }));
    assert.equal(usage?.cachedTokens, 0);
    assert.equal((await worker.stats()).cacheEntries, 2);
  });

  test("neither keeps nor uses a prefix where the caller wants no caching", async () => {
    const { usage } = await worker.run(asked("@one", { promptCaching: false }));
    assert.equal(usage?.cachedTokens, 0);
    const call = asked("@one", { promptCaching: false, caller: "shy" });
    assert.equal((await worker.run(call)).usage?.cacheWriteTokens, 0);
    assert.equal((await worker.stats()).cacheEntries, 2);
  });

  test("does not keep what is too short to be worth it", async () => {
    const { usage } = await worker.run(callOf(`${"u".repeat(300)}@one`));
    assert.equal(usage?.cacheWriteTokens, 0);
  });

  test("keeps files that only its user can read, and leaves none behind", async () => {
    const names = await readdir(directory);
    assert.ok(names.length > 0);
    for (const name of names) {
      const { mode } = await stat(join(directory, name));
      assert.equal(mode & 0o777, 0o600);
    }
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    await worker.stop();
    await assert.rejects(stat(directory));
  });
});
