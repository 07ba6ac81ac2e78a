// How patient a pull is. Every wait has an end, and waiting itself is handed in, so that
// back-off is tested without sleeping.

import { setTimeout } from "node:timers/promises";

export type Patience = {
  /** Longest wait for a connection. */
  readonly connectMs: number;
  /** Longest wait for the first byte of a reply. */
  readonly firstByteMs: number;
  /** Longest silence inside a reply. */
  readonly idleMs: number;
  /** Tries in a row that bring nothing new; a try that does starts the count afresh. */
  readonly attempts: number;
  /** Before the second try; doubles, with jitter. */
  readonly retryDelayMs: number;
  /** Longest wait between two tries, whatever Retry-After asks for. */
  readonly retryDelayLimitMs: number;
  /** How often to look whether another process has finished the same pull. */
  readonly lockPollMs: number;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
};

export const defaultPatience: Patience = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 30_000,
  attempts: 5,
  retryDelayMs: 500,
  retryDelayLimitMs: 30_000,
  lockPollMs: 250,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
  random: Math.random,
};
