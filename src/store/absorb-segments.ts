// Moves journal segments into the ledger table, exactly once: one transaction for all of
// them, files removed only after its commit. Dying in between repeats the work, and entries
// that are there already are passed over by their id.

import { readFileSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { decodeLine } from "./journal-line.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { LedgerEntry } from "./store.ts";
import { inTransaction } from "./transaction.ts";

type Segment = {
  readonly entries: readonly LedgerEntry[];
  readonly torn: boolean;
  readonly damaged: number;
};

/** Answers with what was wrong with the segments, in words. */
export function absorbSegments(
  database: DatabaseSync,
  ledger: LedgerTable,
  paths: readonly string[],
): readonly string[] {
  const damaged = new Set<string>();
  const problems: string[] = [];
  inTransaction(database, () => {
    for (const path of paths) {
      const segment = readSegment(path);
      for (const entry of segment.entries) ledger.insert(entry);
      if (segment.torn) {
        problems.push(
          `journal ${basename(path)} ends in half an entry, which was never acknowledged: skipped`,
        );
      }
      if (segment.damaged > 0) {
        damaged.add(path);
        problems.push(
          `journal ${basename(path)} has ${segment.damaged} unreadable entries: the others are in the ledger, the file is kept as ${basename(path)}.damaged`,
        );
      }
    }
  });
  for (const path of paths) {
    if (damaged.has(path)) renameSync(path, `${path}.damaged`);
    else rmSync(path, { force: true });
  }
  return problems;
}

function readSegment(path: string): Segment {
  const lines = readLines(path);
  const torn = lines.pop() !== "";
  const entries = lines.map(decodeLine).filter((entry) => entry !== undefined);
  return { entries, torn, damaged: lines.length - entries.length };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "latin1").split("\n");
  } catch (error) {
    // It was absorbed before, and the answer to that was lost or is still on its way.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [""];
    throw error;
  }
}
