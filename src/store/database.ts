// Opens hearth.db and makes it safe: one process at a time, and a commit that has returned
// is on the disk. Everything here blocks, so it runs on the database thread alone.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { absorbSegments } from "./absorb-segments.ts";
import type { Operations } from "./database-calls.ts";
import { createLedgerTable } from "./ledger-table.ts";
import { migrate } from "./migrations.ts";
import { text } from "./parse-field.ts";
import { createResourceTable } from "./resource-table.ts";
import { StoreBusy } from "./store-errors.ts";

const SQLITE_BUSY = 5;

export function openDatabase(directory: string): Operations {
  const database = openLocked(directory);
  try {
    migrate(database);
    return createOperations(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function createOperations(database: DatabaseSync): Operations {
  const ledger = createLedgerTable(database);
  const selectFact = database.prepare("SELECT value FROM facts WHERE name = ?");
  const upsertFact = database.prepare(
    "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  return {
    ...createResourceTable(database),
    absorb: (segments) => absorbSegments(database, ledger, segments),
    totals: ledger.totals,
    entries: ledger.entries,
    fact(name) {
      const row = selectFact.get(name);
      return row && text(row.value);
    },
    setFact(name, value) {
      upsertFact.run(name, value);
    },
    close: () => database.close(),
  };
}

function openLocked(directory: string): DatabaseSync {
  const path = join(directory, "hearth.db");
  createPrivately(path, directory);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // The lock is the kernel's and goes with the process, however it ends. It must come
    // before the first look at the WAL, which then needs no shared-memory file.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    database.exec("PRAGMA synchronous = FULL");
    // On macOS a plain fsync leaves the drive's cache unwritten; elsewhere this does nothing.
    database.exec("PRAGMA fullfsync = ON");
    // The WAL grows while a long journal is absorbed, and gives the space back afterwards.
    database.exec(`PRAGMA journal_size_limit = ${16 * 1024 ** 2}`);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) {
      throw new StoreBusy(
        `another hearth process holds ${directory}: stop that process, or give this one a directory of its own with --data`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** SQLite gives its side files the mode of the database file. */
function createPrivately(path: string, directory: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // An existing file must not even be opened here: closing it would drop the locks that
    // another store of this process holds on it.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw error;
  }
  const folder = openSync(directory, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
