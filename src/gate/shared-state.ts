// The narrow interface behind every limit: whoever keeps the sliding minute (this process
// now, Redis for several machines) answers these three questions, and nothing else is
// shared. A request and its tokens belong to the moment of its admission: a sliding minute
// holds what was admitted in it, which is what makes Retry-After exact.

import type { Limits } from "../catalog/index.ts";

export type LimitStanding = {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the oldest entry leaves the window; 0 when it is empty. */
  readonly resetMs: number;
};

export type Standing = {
  readonly requests: LimitStanding | null;
  readonly tokens: LimitStanding | null;
};

export type Decision =
  | { readonly admitted: true; readonly ticket: number; readonly standing: Standing }
  | {
      readonly admitted: false;
      readonly limitedBy: "requests" | "tokens";
      /** Waiting this long is enough; Infinity when the request alone exceeds the limit. */
      readonly retryAfterMs: number;
      readonly standing: Standing;
    };

export interface SharedState {
  /** Atomic: takes one request and `tokens` tokens, or neither. */
  admit(bucket: string, limits: Limits, tokens: number): Decision | Promise<Decision>;
  /**
   * Replaces the tokens reserved under `ticket` by those really used; does nothing once the
   * entry has left the window. Never rejects: what could not be settled stays reserved.
   */
  settle(bucket: string, ticket: number, tokens: number): void | Promise<void>;
  standing(bucket: string, limits: Limits): Standing | Promise<Standing>;
  close(): Promise<void>;
}
