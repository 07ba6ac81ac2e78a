// The ledger in two steps: an entry goes into the journal at once, and the journal goes
// into the database in the background. While the database is away the journal keeps
// growing up to its bound; when it is back, everything moves.

import type { Journal } from "./journal.ts";
import type { EntryFilter } from "./ledger-table.ts";
import type { Schedule } from "./schedule.ts";
import type { Ledger, LedgerEntry, UsageFilter, UsageTotals } from "./store.ts";

/** Bounds one transaction, so that other calls get their turn while a long journal moves. */
const SEGMENTS_AT_ONCE = 16;
const LONGEST_PAUSE_TICKS = 64;

export interface LedgerDatabase {
  /** Takes the segments in and removes their files; answers with what was wrong in them. */
  absorb(segments: readonly string[]): Promise<readonly string[]>;
  totals(filter: UsageFilter): Promise<UsageTotals>;
  entries(filter: EntryFilter): Promise<readonly LedgerEntry[]>;
}

export type JournaledLedgerOptions = {
  readonly openJournal: (onSegmentFull: () => void) => Journal;
  readonly database: LedgerDatabase;
  /** Longest time an entry waits in the journal while the database is well. */
  readonly flushMs: number;
  readonly schedule: Schedule;
  readonly onProblem: (problem: Error) => void;
};

export interface JournaledLedger extends Ledger {
  /** Moves what it can; the rest stays in the journal for the next start. */
  close(): Promise<void>;
}

export function createJournaledLedger(options: JournaledLedgerOptions): JournaledLedger {
  const { database, flushMs, schedule, onProblem } = options;
  const journal = options.openJournal(() => void moveInBackground());
  let ticking = false;
  let cancelTick = () => {};
  let moving = false;
  let failures = 0;
  let pauseTicks = 0;
  let closed = false;

  async function move(segments: readonly string[]) {
    for (let start = 0; start < segments.length; start += SEGMENTS_AT_ONCE) {
      const some = segments.slice(start, start + SEGMENTS_AT_ONCE);
      const problems = await database.absorb(some);
      journal.forget(some);
      for (const problem of problems) onProblem(new Error(problem));
    }
  }

  async function moveInBackground() {
    if (moving || pauseTicks > 0) return;
    moving = true;
    try {
      await move(journal.seal());
      failures = 0;
    } catch (cause) {
      // One report for a whole outage: the next ones would say the same four times a second.
      if (failures === 0 && !closed) {
        onProblem(
          new Error("the ledger waits in its journal: the database does not take it", { cause }),
        );
      }
      failures += 1;
      pauseTicks = Math.min(2 ** failures, LONGEST_PAUSE_TICKS);
    } finally {
      moving = false;
    }
  }

  function tick() {
    ticking = false;
    if (closed || journal.isEmpty()) return;
    if (pauseTicks > 0) pauseTicks -= 1;
    if (moving || pauseTicks > 0) journal.sync();
    else void moveInBackground();
    tickLater();
  }

  function tickLater() {
    ticking = true;
    cancelTick = schedule(tick, flushMs);
  }

  function flush() {
    return move(journal.seal());
  }

  if (!journal.isEmpty()) {
    void moveInBackground();
    tickLater();
  }

  return {
    record(...entries) {
      if (closed) throw new Error("the store is closed");
      journal.append(entries);
      if (!ticking) tickLater();
    },
    flush,
    waitingBytes: () => journal.heldBytes(),
    async totals(filter = {}) {
      await flush();
      return database.totals(filter);
    },
    async entries(filter = {}) {
      await flush();
      return database.entries(filter);
    },
    async close() {
      if (closed) return;
      closed = true;
      cancelTick();
      try {
        await flush();
      } catch (cause) {
        onProblem(
          new Error("the rest of the ledger stays in its journal until the next start", { cause }),
        );
      }
      await journal.close();
    },
  };
}
