// One process at a time pulls into a folder. The lock is the kernel's, taken through SQLite as
// the store does: it goes with its process however that ends, so there is no stale lock to
// judge, in a container, after a crash or where process ids come again. The file stays: a lock
// that is deleted can be held twice.

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { pause } from "./retrying.ts";
import type { Patience } from "./settings.ts";

export type LockRequest = {
  readonly directory: string;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Called once, when another holds it. */
  readonly onWaiting: () => void;
};

const SQLITE_BUSY = 5;

/** Resolves with what releases it. */
export async function takePullLock(request: LockRequest): Promise<() => void> {
  const { directory, patience, signal, onWaiting } = request;
  const { DatabaseSync } = await import("node:sqlite");
  const path = join(directory, "pull.lock");
  // Made here, since SQLite would make it readable to others, and fails without saying why.
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted();
      try {
        database.exec("BEGIN EXCLUSIVE");
        return () => database.close();
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (tries === 0) onWaiting();
      }
      await pause(patience.lockPollMs, patience, signal);
    }
  } catch (error) {
    database.close();
    throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
