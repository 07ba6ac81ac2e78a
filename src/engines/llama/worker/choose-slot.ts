// Which free slot a call gets. The library batches sequences only where their numbers follow each
// other without a gap, so the calls are kept close together at the low end; among those places the
// one that still holds the call's prefix is best.

import type { KeptPrefix } from "./prefix-cache.ts";

export type SlotView = { readonly free: boolean; readonly held: KeptPrefix | undefined };

/** The place of the slot; -1 when none is free. */
export function chooseSlot(slots: readonly SlotView[], wanted: KeptPrefix | undefined): number {
  const taken = slots.filter(({ free }) => !free).length;
  const near = slots.slice(0, taken + 1);
  const holding = near.findIndex(({ free, held }) => free && held !== undefined && held === wanted);
  return holding === -1 ? near.findIndex(({ free }) => free) : holding;
}
