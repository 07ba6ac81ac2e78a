// Time as something that is handed in: cool-downs and back-off can then be tested without
// sleeping.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after that many milliseconds; the answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    // A cool-down must not keep the process alive; a call that waits has its own connection.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
