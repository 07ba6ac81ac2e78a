import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";
import { StoreBusy } from "./store-errors.ts";
import { temporaryDirectory } from "./store-fixtures.ts";

const FIXTURE = fileURLToPath(new URL("./kill-fixture.ts", import.meta.url));
const ROUNDS = 12;
const MOST_LINES = 1500;

function start(directory: string, word: string) {
  return spawn(process.execPath, [FIXTURE, directory, word], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Runs the fixture, kills it at a line chosen by chance, and gives all that it acknowledged. */
async function runAndKill(directory: string, word: string): Promise<readonly string[]> {
  const killAt = randomInt(1, MOST_LINES);
  const child = start(directory, word);
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_, signal) => resolve(signal)),
  );
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === killAt) child.kill("SIGKILL");
  }
  assert.equal(await ended, "SIGKILL", lines.slice(-3).join("\n"));
  return lines;
}

async function assertKept(store: Store, acknowledged: readonly string[]) {
  const resources = new Map((await store.resources()).map((resource) => [resource.id, resource]));
  const entries = await store.ledger.entries();
  const tokens = new Map(entries.map((entry) => [entry.id, entry.promptTokens]));
  assert.equal(tokens.size, entries.length, "an entry is there twice");
  assert.equal((await store.ledger.totals()).requests, entries.length);

  const lines = acknowledged.map((line) => line.split(" "));
  const mayBeGone = new Set(
    lines.filter(([what]) => what === "destroying").map(([, id = ""]) => id),
  );
  for (const [what, id = "", count = ""] of lines) {
    const resource = resources.get(id);
    if (what === "entry") assert.equal(tokens.get(id), Number(count), id);
    if (what === "destroyed") assert.equal(resource, undefined, id);
    if (what === "created") assert.ok(resource || mayBeGone.has(id), id);
    if (what === "key" && !mayBeGone.has(id)) {
      // A later key may have been stored just before its acknowledgement was cut off.
      assert.ok(Number(resource?.keyHash.split("-key-")[1]) >= Number(count), id);
    }
  }
}

describe("a store whose process is killed", () => {
  it("is refused to other processes until then, and free at once afterwards", async (t) => {
    const settings = {
      directory: temporaryDirectory(t),
      flushMs: 250,
      journalLimitBytes: 1024 ** 2,
      onProblem: () => {},
    };
    const child = start(settings.directory, "holder");
    t.after(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    await assert.rejects(createSqliteStore(settings), StoreBusy);
    child.kill("SIGKILL");
    await ended;
    await (await createSqliteStore(settings)).close();
  });

  it("keeps every acknowledged change and entry, once, and opens again", async (t) => {
    const directory = temporaryDirectory(t);
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      acknowledged.push(...(await runAndKill(directory, `round${round}`)));
      const problems: string[] = [];
      const store = await createSqliteStore({
        directory,
        flushMs: 250,
        journalLimitBytes: 64 * 1024 ** 2,
        onProblem: (problem) => problems.push(problem.message),
      });
      try {
        await assertKept(store, acknowledged);
      } finally {
        await store.close();
      }
      for (const problem of problems) assert.match(problem, /half an entry/);
    }
    const kinds = new Set(acknowledged.map((line) => line.split(" ")[0]));
    assert.deepEqual([...kinds].filter((kind) => kind !== "problem").sort(), [
      "created",
      "destroyed",
      "destroying",
      "entry",
      "key",
    ]);
  });
});
