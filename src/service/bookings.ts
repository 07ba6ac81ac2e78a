// What calls have used, on its way to the ledger. Entries of one turn of the event loop are
// written together: one system call for as many replies as finish in it. Whoever booked waits
// for that before it says the last word to its caller.

import type { Log, Metrics } from "../ops/index.ts";
import type { Ledger, LedgerEntry } from "../store/index.ts";

export interface Bookings {
  /** Resolves when the entry survives the death of this process. Never rejects. */
  book(entry: LedgerEntry): Promise<void>;
  /** Writes what is waiting, at once. */
  flush(): void;
}

export type BookingsOptions = {
  readonly ledger: Pick<Ledger, "record">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "ledgerFailed">;
};

export function createBookings({ ledger, log, metrics }: BookingsOptions): Bookings {
  let waiting: LedgerEntry[] = [];
  let written = Promise.withResolvers<void>();

  const flush = (): void => {
    if (waiting.length === 0) return;
    const entries = waiting;
    const { resolve } = written;
    waiting = [];
    written = Promise.withResolvers<void>();
    try {
      ledger.record(...entries);
    } catch (error) {
      // The callers have their answers; the operator gets the entries, so that they can still be
      // booked.
      metrics.ledgerFailed();
      log.error({ err: error, entries }, "the ledger did not take these entries");
    }
    resolve();
  };

  return {
    book(entry) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(entry);
      return written.promise;
    },
    flush,
  };
}
