// The store of a single machine: one SQLite file in the data directory, behind a thread of
// its own, and a journal beside it that takes the ledger's entries without waiting.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { startDatabaseClient } from "./database-client.ts";
import { openJournal } from "./journal.ts";
import { createJournaledLedger } from "./journaled-ledger.ts";
import { type Schedule, scheduleWithTimer } from "./schedule.ts";
import type { Store } from "./store.ts";

export type SqliteStoreOptions = {
  /** The data directory; created, for its owner alone, when it is not there. */
  readonly directory: string;
  /** Longest time a ledger entry stays in the journal before the database has it. */
  readonly flushMs: number;
  /** Most journal kept while the database does not take it. */
  readonly journalLimitBytes: number;
  /** Told of what went wrong in the background and is being dealt with. */
  readonly onProblem: (problem: Error) => void;
  readonly schedule?: Schedule;
  readonly spawnThread?: (directory: string) => Worker;
};

/** Rejects with a StoreBusy when another process has the directory open. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { directory, flushMs, journalLimitBytes, onProblem } = options;
  const schedule = options.schedule ?? scheduleWithTimer;
  const journalDirectory = join(directory, "journal");
  await mkdir(journalDirectory, { recursive: true, mode: 0o700 });

  const database = await startDatabaseClient({
    directory,
    schedule,
    onProblem,
    ...(options.spawnThread && { spawn: options.spawnThread }),
  });

  // Only now, with the database's lock held, are the segments in the journal ours.
  const ledger = createJournaledLedger({
    openJournal: (onSegmentFull) =>
      openJournal({
        directory: journalDirectory,
        limitBytes: journalLimitBytes,
        onSegmentFull,
        onProblem,
      }),
    database: {
      absorb: (segments) => database.call("absorb", segments),
      totals: (filter) => database.call("totals", filter),
      entries: (filter) => database.call("entries", filter),
    },
    flushMs,
    schedule,
    onProblem,
  });

  let closing: Promise<void> | undefined;
  return {
    ledger,
    resources: () => database.call("resources"),
    createResource: (record) => database.call("createResource", record),
    replaceKey: (resourceId, keyHash, at) => database.call("replaceKey", resourceId, keyHash, at),
    destroyResource: (resourceId, at) => database.call("destroyResource", resourceId, at),
    fact: (name) => database.call("fact", name),
    setFact: (name, value) => database.call("setFact", name, value),
    close() {
      closing ??= ledger.close().then(() => database.close());
      return closing;
    },
  };
}
