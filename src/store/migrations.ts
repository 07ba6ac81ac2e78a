// Brings a database to the version this program knows: numbered scripts, each in its own
// transaction together with the number. A script that was released is never edited.

import type { DatabaseSync } from "node:sqlite";
import { firstTables } from "./migrations/001-first-tables.ts";
import { number } from "./parse-field.ts";
import { StoreTooNew } from "./store-errors.ts";
import { inTransaction } from "./transaction.ts";

/** The script at index n leads from version n to version n + 1. */
export const MIGRATIONS: readonly string[] = [firstTables];

export function migrate(database: DatabaseSync, scripts: readonly string[] = MIGRATIONS): void {
  const found = schemaVersion(database);
  if (found > scripts.length) {
    throw new StoreTooNew(
      `the database has version ${found}, and this hearth knows versions up to ${scripts.length}: start the newer hearth that wrote it, or restore a backup from before the upgrade`,
    );
  }
  for (const [index, script] of scripts.entries()) {
    if (index < found) continue;
    inTransaction(database, () => {
      database.exec(script);
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}

export function schemaVersion(database: DatabaseSync): number {
  return number(database.prepare("PRAGMA user_version").get()?.user_version);
}
