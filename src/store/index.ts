export { createSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
export {
  type Ledger,
  type LedgerEntry,
  type Plan,
  type ResourceRecord,
  type Store,
  StoreConflict,
  type UsageFilter,
  type UsageTotals,
} from "./store.ts";
export { JournalRefused, StoreBusy, StoreTooNew, StoreUnavailable } from "./store-errors.ts";
