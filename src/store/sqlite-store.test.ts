import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it, type TestContext } from "node:test";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { encodeLine } from "./journal-line.ts";
import { createSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { testStoreContract } from "./store-contract.ts";
import { JournalRefused, StoreBusy, StoreTooNew, StoreUnavailable } from "./store-errors.ts";
import {
  ledgerEntry,
  manualSchedule,
  resourceRecord,
  temporaryDirectory,
} from "./store-fixtures.ts";

const SETTINGS = {
  flushMs: 250,
  journalLimitBytes: 1024 ** 2,
  onProblem: (problem: Error) => assert.fail(problem),
};

async function storeIn(
  t: TestContext,
  directory: string,
  options: Partial<SqliteStoreOptions> = {},
) {
  const store = await createSqliteStore({ directory, ...SETTINGS, ...options });
  t.after(() => store.close());
  return store;
}

testStoreContract("sqlite", (t) => {
  const directory = temporaryDirectory(t);
  return () => createSqliteStore({ directory, ...SETTINGS });
});

describe("the sqlite store", () => {
  it("refuses a second opener and says what to do, and lets it in after the first", async (t) => {
    const directory = temporaryDirectory(t);
    const first = await storeIn(t, directory);
    await first.createResource(resourceRecord("a"));
    first.ledger.record(ledgerEntry("one"));
    await assert.rejects(storeIn(t, directory), (error: Error) => {
      assert.ok(error instanceof StoreBusy);
      assert.match(error.message, /another hearth process holds .*: stop that process/);
      return true;
    });
    await first.createResource(resourceRecord("b"));
    await first.close();
    const second = await storeIn(t, directory);
    assert.equal((await second.resources()).length, 2);
    assert.equal((await second.ledger.totals()).requests, 1);
  });

  it("keeps its directory and files from everyone but the owner", async (t) => {
    const directory = join(temporaryDirectory(t), "deep", "data");
    const store = await storeIn(t, directory);
    await store.createResource(resourceRecord("a"));
    store.ledger.record(ledgerEntry("one"));
    const mode = (path: string) => statSync(join(directory, path)).mode & 0o777;
    assert.equal(mode("."), 0o700);
    for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
      assert.equal(mode(name), name === "journal" ? 0o700 : 0o600, name);
    }
    assert.ok(readdirSync(directory).includes("hearth.db-wal"));
  });

  it("leaves one database file and an empty journal when it is closed", async (t) => {
    const directory = temporaryDirectory(t);
    const store = await storeIn(t, directory);
    store.ledger.record(ledgerEntry("one"));
    await store.close();
    assert.deepEqual(readdirSync(directory).sort(), ["hearth.db", "journal"]);
    assert.deepEqual(readdirSync(join(directory, "journal")), []);
  });

  it("takes in the journal of a process that died, its torn line reported", async (t) => {
    const directory = temporaryDirectory(t);
    await (await storeIn(t, directory)).close();
    const whole = encodeLine(ledgerEntry("whole"));
    writeFileSync(join(directory, "journal", "000000000003.journal"), `${whole}${whole.slice(9)}`);
    writeFileSync(join(directory, "journal", "000000000004.journal"), whole.slice(0, 40));
    const problems: string[] = [];
    const store = await storeIn(t, directory, {
      onProblem: ({ message }) => problems.push(message),
    });
    assert.deepEqual(await store.ledger.entries(), [ledgerEntry("whole")]);
    assert.equal(problems.length, 2);
    assert.match(problems[1] ?? "", /000000000004\.journal ends in half an entry/);
  });

  it("refuses a database that a newer hearth wrote", async (t) => {
    const directory = temporaryDirectory(t);
    await (await storeIn(t, directory)).close();
    const database = new DatabaseSync(join(directory, "hearth.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await assert.rejects(storeIn(t, directory), (error: Error) => {
      assert.ok(error instanceof StoreTooNew);
      assert.match(error.message, /version 99/);
      return true;
    });
  });

  it("refuses a file that is no database, with a reason", async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, "hearth.db"), "x".repeat(5000));
    await assert.rejects(storeIn(t, directory), /the database failed: file is not a database/);
  });

  it("keeps former keys, with the time they were revoked", async (t) => {
    const directory = temporaryDirectory(t);
    const store = await storeIn(t, directory);
    await store.createResource(resourceRecord("a", { keyCreatedAt: 1 }));
    await store.replaceKey("a", "a-key-1", 2);
    await store.destroyResource("a", 3);
    await store.close();
    const database = new DatabaseSync(join(directory, "hearth.db"));
    const rows = database.prepare("SELECT hash, created_at, revoked_at FROM keys").all();
    database.close();
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        ["a-key-0", 1, 2],
        ["a-key-1", 2, 3],
      ],
    );
  });

  it("records through the death of its database thread, up to the bound, and loses nothing", async (t) => {
    const directory = temporaryDirectory(t);
    const clock = manualSchedule();
    const problems: string[] = [];
    let thread: Worker | undefined;
    const store = await storeIn(t, directory, {
      journalLimitBytes: 20_000,
      schedule: clock.schedule,
      onProblem: ({ message }) => problems.push(message),
      spawnThread(workerData) {
        thread = new Worker(new URL("./database-thread.ts", import.meta.url), { workerData });
        return thread;
      },
    });
    await thread?.terminate();
    await assert.rejects(store.resources(), StoreUnavailable);
    await assert.rejects(store.ledger.totals(), StoreUnavailable);
    let recorded = 0;
    assert.throws(() => {
      for (; recorded < 1000; recorded += 1) store.ledger.record(ledgerEntry(`entry-${recorded}`));
    }, JournalRefused);
    assert.ok(recorded > 50);
    clock.runNext();
    assert.equal((await store.ledger.totals()).requests, recorded);
    store.ledger.record(ledgerEntry("afterwards"));
    assert.equal((await store.ledger.totals()).requests, recorded + 1);
    assert.deepEqual(problems, ["the database thread ended unexpectedly"]);
  });

  it("does not keep a process alive that forgot to close it", async (t) => {
    const directory = temporaryDirectory(t);
    const program = `
      import { createSqliteStore } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
      const store = await createSqliteStore({
        directory: ${JSON.stringify(directory)}, flushMs: 60_000, journalLimitBytes: 1e6,
        onProblem: console.error,
      });
      await store.setFact("left", "open");`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    assert.equal(await (await storeIn(t, directory)).fact("left"), "open");
  });
});
