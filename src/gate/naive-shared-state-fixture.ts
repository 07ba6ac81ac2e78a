// The sliding minute as one would define it, with no thought of speed: a list, filtered anew
// for every question. Tests hold the real ones against it.

import type { Limits } from "../catalog/index.ts";
import type { Decision, Standing } from "./shared-state.ts";

type Entry = { readonly at: number; tokens: number };

const MINUTE = 60_000;

export class NaiveSharedState {
  readonly #clock: () => number;
  readonly #buckets = new Map<string, Entry[]>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The answer, less the ticket: here the entry itself is what gets settled. */
  admit(bucket: string, limits: Limits, tokens: number): [Decision, Entry] {
    const now = this.#clock();
    const entries = this.#buckets.get(bucket) ?? [];
    this.#buckets.set(bucket, entries);
    const entry = { at: now, tokens };

    const within = (limit: number | null, used: number) => limit === null || used <= limit;
    const requestsWait = smallestWait(entries, now, (living) =>
      within(limits.requests, living.length + 1),
    );
    const tokensWait = smallestWait(entries, now, (living) =>
      within(limits.tokens, sum(living) + tokens),
    );
    const retryAfterMs = Math.max(requestsWait, tokensWait);
    if (retryAfterMs > 0) {
      const limitedBy = tokensWait > requestsWait ? "tokens" : "requests";
      const standing = this.standing(bucket, limits);
      return [{ admitted: false, limitedBy, retryAfterMs, standing }, entry];
    }
    entries.push(entry);
    return [{ admitted: true, ticket: 0, standing: this.standing(bucket, limits) }, entry];
  }

  standing(bucket: string, { requests, tokens }: Limits): Standing {
    const now = this.#clock();
    const living = livingAt(now, this.#buckets.get(bucket) ?? []);
    const first = living[0];
    const resetMs = first === undefined ? 0 : first.at + MINUTE - now;
    const left = (limit: number, used: number) => Math.max(0, limit - used);
    return {
      requests:
        requests === null
          ? null
          : { limit: requests, remaining: left(requests, living.length), resetMs },
      tokens:
        tokens === null ? null : { limit: tokens, remaining: left(tokens, sum(living)), resetMs },
    };
  }
}

const livingAt = (time: number, entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ at }) => at <= time && time < at + MINUTE);

const sum = (entries: readonly Entry[]): number =>
  entries.reduce((total, { tokens }) => total + tokens, 0);

/** The window changes only when an entry leaves it, so those are the moments to try. */
function smallestWait(
  entries: readonly Entry[],
  now: number,
  fits: (living: readonly Entry[]) => boolean,
): number {
  const moments = [now, ...livingAt(now, entries).map(({ at }) => at + MINUTE)];
  const moment = moments.find((time) => fits(livingAt(time, entries)));
  return moment === undefined ? Number.POSITIVE_INFINITY : moment - now;
}
