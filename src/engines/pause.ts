// Waits on the given clock; rejects with the signal's reason as soon as it aborts.

import type { Clock } from "./clock.ts";

export function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = (): void => {
      cancel();
      signal.removeEventListener("abort", leave);
      reject(signal.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
    signal.addEventListener("abort", leave);
  });
}
