// Ids of ledger entries: unique over processes, and rising with time, so that the database
// appends to its index instead of scattering over it.

import { randomBytes } from "node:crypto";

export function createEntryIds(now: () => number): () => string {
  const process = randomBytes(8).toString("hex");
  let count = 0;
  return () => {
    count = (count + 1) % 0xffffff;
    return `${now().toString(16).padStart(12, "0")}-${count.toString(16).padStart(6, "0")}-${process}`;
  };
}
