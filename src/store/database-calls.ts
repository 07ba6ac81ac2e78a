// What the serving thread asks of the database thread, and how answers and failures cross
// between them. Errors lose their class on the way, so they travel as a kind and a message.

import type { LedgerTable } from "./ledger-table.ts";
import type { ResourceTable } from "./resource-table.ts";
import { StoreConflict } from "./store.ts";
import { StoreBusy, StoreTooNew, StoreUnavailable } from "./store-errors.ts";

interface Database extends ResourceTable, Pick<LedgerTable, "totals" | "entries"> {
  absorb(segments: readonly string[]): readonly string[];
  fact(name: string): string | undefined;
  setFact(name: string, value: string): void;
  close(): void;
}

export type OperationName = keyof Database;
export type Arguments = { [Name in OperationName]: Parameters<Database[Name]> };
export type Results = { [Name in OperationName]: ReturnType<Database[Name]> };

/** The database, spelled so that a call's name, arguments and result stay tied together. */
export type Operations = {
  readonly [Name in OperationName]: (...values: Arguments[Name]) => Results[Name];
};

export type Call<Name extends OperationName = OperationName> = {
  readonly id: number;
  readonly operation: Name;
  readonly values: Arguments[Name];
};

const FAILURES = {
  conflict: StoreConflict,
  busy: StoreBusy,
  tooNew: StoreTooNew,
  unavailable: StoreUnavailable,
} as const;

export type Failure = {
  readonly kind: keyof typeof FAILURES;
  readonly message: string;
};

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };

/** The reply that the thread sends by itself, once it has or has not opened the database. */
export const OPENING = 0;

export function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreConflict) return { kind: "conflict", message };
  if (error instanceof StoreBusy) return { kind: "busy", message };
  if (error instanceof StoreTooNew) return { kind: "tooNew", message };
  return { kind: "unavailable", message: `the database failed: ${message}` };
}

export function toError(failure: Failure): Error {
  return new FAILURES[failure.kind](failure.message);
}
