// What the house remembers: resources with their keys and attachments, and the ledger of
// what was used. This file is the contract; store-contract tests hold every implementation
// to it. Nothing here is on the path of a request: the gate keeps its own copy in memory.

export type Plan = "model" | "standard";

export type ResourceRecord = {
  readonly id: string;
  /** Unique and human: `inference-amber-4821`. */
  readonly name: string;
  /** The model it provisions; null on the plan `standard`, which reaches every model. */
  readonly model: string | null;
  readonly plan: Plan;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** SHA-256 of the key, hex. The key itself is never stored here. */
  readonly keyHash: string;
  readonly keyCreatedAt: number;
  /** Prefixes of the config variables: `INFERENCE`. Each alias is unique in the store. */
  readonly aliases: readonly string[];
};

export type LedgerEntry = {
  /** Unique per inference. Writing the same id twice keeps one row. */
  readonly id: string;
  readonly requestId: string;
  /** Epoch milliseconds of admission. */
  readonly at: number;
  readonly resourceId: string;
  readonly model: string;
  readonly route: string;
  readonly status: number;
  readonly outcome: "ok" | "error" | "aborted";
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** The token counts are an estimate: the engine reported none. */
  readonly estimated: boolean;
  readonly durationMs: number;
};

export type UsageTotals = {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
};

export type UsageFilter = {
  readonly resourceId?: string;
  readonly model?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
};

export interface Ledger {
  /**
   * Takes entries without waiting, all in one write. When it returns, they survive the death of
   * this process. It throws only when the journal cannot take them (disk full, bound reached).
   */
  record(...entries: readonly LedgerEntry[]): void;
  /** Resolves when everything recorded before the call is in the database. */
  flush(): Promise<void>;
  /** Size of what was recorded and is not in the database yet. */
  waitingBytes(): number;
  totals(filter?: UsageFilter): Promise<UsageTotals>;
  /** Newest first. */
  entries(filter?: UsageFilter & { readonly limit?: number }): Promise<readonly LedgerEntry[]>;
}

/** A change is durable, against power loss too, when its promise resolves. */
export interface Store {
  readonly ledger: Ledger;
  resources(): Promise<readonly ResourceRecord[]>;
  /**
   * Rejects with a StoreConflict when the id, the name, an alias or the key hash is taken. A
   * key hash stays taken when its key is replaced or destroyed; names and aliases become free.
   */
  createResource(record: ResourceRecord): Promise<void>;
  /** Rejects with a StoreConflict when there is no such resource, or the key hash is taken. */
  replaceKey(resourceId: string, keyHash: string, at: number): Promise<void>;
  /**
   * Rejects with a StoreConflict when there is no such resource. The ledger keeps the rows of
   * a destroyed one.
   */
  destroyResource(resourceId: string, at: number): Promise<void>;
  /** Small facts such as "the first start is done". */
  fact(name: string): Promise<string | undefined>;
  setFact(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}

export class StoreConflict extends Error {
  override readonly name = "StoreConflict";
}
