// A target's connections, and the bounded queue before them. The queue is ours and not the
// connection pool's, so that a caller who goes away leaves it at once and without a trace.

export class Slots {
  readonly #limit: number;
  readonly #queueLimit: number;
  // A Set keeps the order of arrival and lets anybody leave from the middle.
  readonly #waiters = new Set<() => void>();
  #taken = 0;

  constructor(limit: number, queueLimit: number) {
    this.#limit = limit;
    this.#queueLimit = queueLimit;
  }

  /** Calls that run or wait. */
  get load(): number {
    return this.#taken + this.#waiters.size;
  }

  get free(): boolean {
    return this.#taken < this.#limit;
  }

  get queueable(): boolean {
    return this.#waiters.size < this.#queueLimit;
  }

  tryTake(): boolean {
    if (!this.free) return false;
    this.#taken += 1;
    return true;
  }

  /** Resolves with a slot taken; rejects with the signal's reason if the caller goes away. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        signal.removeEventListener("abort", leave);
        this.#waiters.delete(enter);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave);
      this.#waiters.add(enter);
    });
  }

  release(): void {
    const [next] = this.#waiters;
    if (next === undefined) {
      this.#taken -= 1;
    } else {
      this.#waiters.delete(next);
      next();
    }
  }
}
