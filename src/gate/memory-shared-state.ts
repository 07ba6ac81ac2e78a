// The sliding minutes of one process. Buckets live in two generations: a bucket that nobody
// asked for a whole minute holds only entries that have expired, so the older generation is
// thrown away as one piece, with no timer and no sweep.

import type { SharedState } from "./shared-state.ts";
import { limitStanding, SlidingWindow, WINDOW_MS } from "./sliding-window.ts";

export type MemorySharedStateOptions = {
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
};

export type MemorySharedState = SharedState & { readonly bucketCount: number };

export function createMemorySharedState({
  clock = () => performance.now(),
}: MemorySharedStateOptions = {}): MemorySharedState {
  let young = new Map<string, SlidingWindow>();
  let old = new Map<string, SlidingWindow>();
  let agedAt = clock();
  // No window's tickets run ahead of it, so a bucket that was dropped and comes back starts
  // above them, and a late settlement of an old ticket cannot hit a new request.
  let admissions = 0;

  const age = (now: number): void => {
    if (now - agedAt < WINDOW_MS) return;
    old = now - agedAt < 2 * WINDOW_MS ? young : new Map();
    young = new Map();
    agedAt = now;
  };

  const keptYoung = (bucket: string): SlidingWindow => {
    const known = young.get(bucket);
    if (known !== undefined) return known;
    const window = old.get(bucket) ?? new SlidingWindow(admissions);
    old.delete(bucket);
    young.set(bucket, window);
    return window;
  };

  const find = (bucket: string): SlidingWindow | undefined => young.get(bucket) ?? old.get(bucket);

  return {
    admit(bucket, limits, tokens) {
      const now = clock();
      age(now);
      const decision = keptYoung(bucket).admit(now, limits, tokens);
      if (decision.admitted) admissions += 1;
      return decision;
    },
    settle(bucket, ticket, tokens) {
      find(bucket)?.settle(ticket, tokens);
    },
    standing(bucket, limits) {
      return (
        find(bucket)?.standing(clock(), limits) ?? {
          requests: limitStanding(limits.requests, 0, 0),
          tokens: limitStanding(limits.tokens, 0, 0),
        }
      );
    },
    close: () => Promise.resolve(),
    get bucketCount() {
      return young.size + old.size;
    },
  };
}
