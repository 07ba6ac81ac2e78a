// Keeps retries a small part of the traffic. Each call earns a fifth of a retry, so a dead
// upstream sees at most 1.2 times its normal load; a trickle over time keeps a quiet
// service able to retry at all.

import type { Clock } from "../clock.ts";

const EARNED_PER_CALL = 0.2;
const EARNED_PER_SECOND = 1;
const FLOOR = 10;
const MOST = 100;

export class RetryBudget {
  readonly #clock: Clock;
  #balance = FLOOR;
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  earn(): void {
    if (this.#balance < MOST) this.#balance += EARNED_PER_CALL;
  }

  spend(): boolean {
    const now = this.#clock.now();
    const seconds = Math.max(0, now - this.#at) / 1000;
    this.#at = now;
    if (this.#balance < FLOOR) {
      this.#balance = Math.min(FLOOR, this.#balance + seconds * EARNED_PER_SECOND);
    }
    if (this.#balance < 1) return false;
    this.#balance -= 1;
    return true;
  }
}
