// Ids of ledger entries: unique over processes, and rising with time, so that the database
// appends to its index instead of scattering over it.

import { randomBytes } from "node:crypto";

export function createEntryIds(now: () => number): () => string {
  const process = randomBytes(8).toString("hex");
  let millisecond = -1;
  let start = "";
  let count = 0;
  return () => {
    const at = now();
    // Never back, should the clock go back: the count goes on under the latest time instead.
    if (at > millisecond) {
      millisecond = at;
      count = 0;
      start = `${at.toString(16).padStart(12, "0")}-${process}-`;
    }
    count += 1;
    return start + String(count).padStart(7, "0");
  };
}
