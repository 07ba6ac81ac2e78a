// The ways a store can fail, as classes, so that callers choose by type and not by text:
// a busy or too new database ends the start, an unavailable one is a 503 that heals.

/** Another process has the data directory open. */
export class StoreBusy extends Error {
  override readonly name = "StoreBusy";
}

/** The database was written by a program that knows more migrations than this one. */
export class StoreTooNew extends Error {
  override readonly name = "StoreTooNew";
}

/** The database cannot answer at the moment. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The ledger's journal could not take an entry: its bound is reached, or the disk is full. */
export class JournalRefused extends Error {
  override readonly name = "JournalRefused";
}
