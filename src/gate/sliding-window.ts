// The sliding minute of one bucket: a log of (time, tokens), one entry per admitted request,
// in a ring of typed arrays. Exact, because it holds every entry; O(1), because entries
// leave in the order they came. A ticket is the entry's sequence number, and its place in
// the ring the low bits of that, so settling needs no search.

import type { Limits } from "../catalog/index.ts";
import type { Decision, LimitStanding, Standing } from "./shared-state.ts";

export const WINDOW_MS = 60_000;

const SMALLEST_CAPACITY = 16;
/** Tokens are summed up per block of slots too, so that a refusal skips over blocks. */
const BLOCK_BITS = 6;
const BLOCK_MASK = (1 << BLOCK_BITS) - 1;

const blocksFor = (capacity: number): Float64Array =>
  new Float64Array((capacity >> BLOCK_BITS) + 1);

export class SlidingWindow {
  #times = new Float64Array(SMALLEST_CAPACITY);
  #tokens = new Float64Array(SMALLEST_CAPACITY);
  #blocks = blocksFor(SMALLEST_CAPACITY);
  #mask = SMALLEST_CAPACITY - 1;
  #oldest: number;
  #next: number;
  #sum = 0;

  /** Tickets start here: above all that an earlier window of the same bucket gave out. */
  constructor(firstTicket: number) {
    this.#oldest = firstTicket;
    this.#next = firstTicket;
  }

  /** `now` never runs backwards. */
  admit(now: number, limits: Limits, tokens: number): Decision {
    this.#expire(now);
    const requestsWait = this.#requestsWait(now, limits.requests);
    const tokensWait = this.#tokensWait(now, limits.tokens, tokens);
    if (requestsWait > 0 || tokensWait > 0) {
      const standing = this.#standing(now, limits);
      return tokensWait > requestsWait
        ? { admitted: false, limitedBy: "tokens", retryAfterMs: tokensWait, standing }
        : { admitted: false, limitedBy: "requests", retryAfterMs: requestsWait, standing };
    }
    const ticket = this.#append(now, tokens);
    return { admitted: true, ticket, standing: this.#standing(now, limits) };
  }

  /** An entry that has left the window keeps what it was: nobody counts it any more. */
  settle(ticket: number, tokens: number): void {
    if (ticket < this.#oldest || ticket >= this.#next) return;
    const slot = ticket & this.#mask;
    this.#add(slot, tokens - at(this.#tokens, slot));
    this.#tokens[slot] = tokens;
  }

  standing(now: number, limits: Limits): Standing {
    this.#expire(now);
    return this.#standing(now, limits);
  }

  #standing(now: number, limits: Limits): Standing {
    const count = this.#next - this.#oldest;
    const resetMs = count === 0 ? 0 : this.#leavesAt(this.#oldest) - now;
    return {
      requests: limitStanding(limits.requests, count, resetMs),
      tokens: limitStanding(limits.tokens, this.#sum, resetMs),
    };
  }

  #requestsWait(now: number, limit: number | null): number {
    if (limit === null) return 0;
    const count = this.#next - this.#oldest;
    if (count < limit) return 0;
    if (limit < 1) return Number.POSITIVE_INFINITY;
    // More than one has to leave when the limit was lowered under what is in the window.
    return this.#leavesAt(this.#oldest + count - limit) - now;
  }

  #tokensWait(now: number, limit: number | null, asked: number): number {
    if (limit === null) return 0;
    let excess = this.#sum + asked - limit;
    if (excess <= 0) return 0;
    if (asked > limit) return Number.POSITIVE_INFINITY;
    let ticket = this.#oldest;
    // It ends inside the log: the excess is at most the sum of all entries.
    for (;;) {
      const slot = ticket & this.#mask;
      const block = at(this.#blocks, slot >> BLOCK_BITS);
      if ((slot & BLOCK_MASK) === 0 && block < excess) {
        excess -= block;
        ticket += BLOCK_MASK + 1;
        continue;
      }
      excess -= at(this.#tokens, slot);
      if (excess <= 0) return this.#leavesAt(ticket) - now;
      ticket += 1;
    }
  }

  #leavesAt(ticket: number): number {
    return at(this.#times, ticket & this.#mask) + WINDOW_MS;
  }

  #append(now: number, tokens: number): number {
    const count = this.#next - this.#oldest;
    const capacity = this.#mask + 1;
    if (count === capacity) this.#resize(capacity * 2);
    else if (capacity > SMALLEST_CAPACITY && count * 8 < capacity) this.#resize(capacity / 2);
    const ticket = this.#next;
    const slot = ticket & this.#mask;
    this.#times[slot] = now;
    this.#tokens[slot] = tokens;
    this.#add(slot, tokens);
    this.#next = ticket + 1;
    return ticket;
  }

  #expire(now: number): void {
    while (this.#oldest < this.#next && this.#leavesAt(this.#oldest) <= now) {
      const slot = this.#oldest & this.#mask;
      this.#add(slot, -at(this.#tokens, slot));
      this.#oldest += 1;
    }
  }

  #add(slot: number, tokens: number): void {
    this.#sum += tokens;
    const block = slot >> BLOCK_BITS;
    this.#blocks[block] = at(this.#blocks, block) + tokens;
  }

  #resize(capacity: number): void {
    const times = new Float64Array(capacity);
    const tokens = new Float64Array(capacity);
    const blocks = blocksFor(capacity);
    const mask = capacity - 1;
    for (let ticket = this.#oldest; ticket < this.#next; ticket += 1) {
      const slot = ticket & mask;
      const block = slot >> BLOCK_BITS;
      times[slot] = at(this.#times, ticket & this.#mask);
      tokens[slot] = at(this.#tokens, ticket & this.#mask);
      blocks[block] = at(blocks, block) + at(tokens, slot);
    }
    this.#times = times;
    this.#tokens = tokens;
    this.#blocks = blocks;
    this.#mask = mask;
  }
}

/** Every slot is inside its array: the zero is for the type checker. */
const at = (numbers: Float64Array, index: number): number => numbers[index] ?? 0;

export const limitStanding = (
  limit: number | null,
  used: number,
  resetMs: number,
): LimitStanding | null =>
  limit === null ? null : { limit, remaining: Math.max(0, limit - used), resetMs };
