// Tries work again while its failures are worth a retry. The bound counts tries that brought
// nothing new, so that a large file over a bad line arrives, and a dead sender is given up.

import { ServiceError } from "../call/index.ts";
import type { Patience } from "./settings.ts";

export type Retrying = {
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Whether the try that just failed brought something; default: never. */
  readonly gained?: () => boolean;
};

export async function retrying<T>(work: () => Promise<T>, options: Retrying): Promise<T> {
  const { patience, signal, gained = () => false } = options;
  for (let failures = 0; ; ) {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      failures = gained() ? 1 : failures + 1;
      if (!(error instanceof ServiceError) || !error.retryable || failures >= patience.attempts) {
        throw error;
      }
      await pause(delay(patience, failures, error.retryAfterSeconds), patience, signal);
    }
  }
}

function delay(
  patience: Patience,
  failures: number,
  retryAfterSeconds: number | undefined,
): number {
  const { retryDelayMs, retryDelayLimitMs, random } = patience;
  const backOff = retryDelayMs * 2 ** (failures - 1) * (0.5 + 0.5 * random());
  return Math.min(Math.max(backOff, (retryAfterSeconds ?? 0) * 1000), retryDelayLimitMs);
}

/** An aborted wait rejects with the caller's reason, not with the timer's own error. */
export async function pause(
  milliseconds: number,
  patience: Patience,
  signal: AbortSignal,
): Promise<void> {
  try {
    await patience.wait(milliseconds, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
