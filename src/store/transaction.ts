// All or nothing, for everything that changes the database.

import type { DatabaseSync } from "node:sqlite";

export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself; a second rollback would hide the cause.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
