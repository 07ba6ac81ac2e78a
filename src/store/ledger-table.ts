// The ledger inside the database: what the journal brings is inserted once by its id, and
// read back as sums or as entries.

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { OUTCOMES } from "./journal-line.ts";
import { number, oneOf, text } from "./parse-field.ts";
import type { LedgerEntry, UsageFilter, UsageTotals } from "./store.ts";

export type EntryFilter = UsageFilter & { readonly limit?: number };

export interface LedgerTable {
  /** Does nothing when the id is there already. */
  insert(entry: LedgerEntry): void;
  totals(filter: UsageFilter): UsageTotals;
  entries(filter: EntryFilter): readonly LedgerEntry[];
}

export function createLedgerTable(database: DatabaseSync): LedgerTable {
  const insert = database.prepare(`
    INSERT OR IGNORE INTO ledger (
      id, request_id, at, resource_id, model, route, status, outcome, prompt_tokens,
      completion_tokens, cached_tokens, reasoning_tokens, estimated, duration_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  return {
    insert(entry) {
      insert.run(
        entry.id,
        entry.requestId,
        entry.at,
        entry.resourceId,
        entry.model,
        entry.route,
        entry.status,
        entry.outcome,
        entry.promptTokens,
        entry.completionTokens,
        entry.cachedTokens,
        entry.reasoningTokens,
        entry.estimated ? 1 : 0,
        entry.durationMs,
      );
    },

    totals(filter) {
      const { where, values } = conditions(filter);
      const row = database
        .prepare(`
          SELECT count(*) AS requests,
            coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
            coalesce(sum(completion_tokens), 0) AS completion_tokens,
            coalesce(sum(cached_tokens), 0) AS cached_tokens
          FROM ledger ${where}`)
        .get(...values);
      return {
        requests: number(row?.requests),
        promptTokens: number(row?.prompt_tokens),
        completionTokens: number(row?.completion_tokens),
        cachedTokens: number(row?.cached_tokens),
      };
    },

    entries(filter) {
      const { where, values } = conditions(filter);
      const unlimited = -1;
      return database
        .prepare(`SELECT * FROM ledger ${where} ORDER BY at DESC, rowid DESC LIMIT ?`)
        .all(...values, filter.limit ?? unlimited)
        .map(parseRow);
    },
  };
}

function conditions(filter: UsageFilter): { where: string; values: SQLInputValue[] } {
  const terms: readonly (readonly [string, SQLInputValue | undefined])[] = [
    ["resource_id = ?", filter.resourceId],
    ["model = ?", filter.model],
    ["at >= ?", filter.since],
    ["at < ?", filter.until],
  ];
  const clauses: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [clause, value] of terms) {
    if (value === undefined) continue;
    clauses.push(clause);
    values.push(value);
  }
  return { where: clauses.length > 0 ? `WHERE ${clauses.join(" AND ")}` : "", values };
}

function parseRow(row: Record<string, SQLOutputValue>): LedgerEntry {
  return {
    id: text(row.id),
    requestId: text(row.request_id),
    at: number(row.at),
    resourceId: text(row.resource_id),
    model: text(row.model),
    route: text(row.route),
    status: number(row.status),
    outcome: oneOf(OUTCOMES, row.outcome),
    promptTokens: number(row.prompt_tokens),
    completionTokens: number(row.completion_tokens),
    cachedTokens: number(row.cached_tokens),
    reasoningTokens: number(row.reasoning_tokens),
    estimated: row.estimated === 1,
    durationMs: number(row.duration_ms),
  };
}
