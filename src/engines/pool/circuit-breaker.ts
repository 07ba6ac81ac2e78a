// Takes a target out after failures in a row, and lets it back in carefully: after a pause
// it is asked whether it answers at all, and then one live call decides. Each return to the
// pause doubles it. Calls that began before the last change of state have no say.

import type { Clock } from "../clock.ts";
import type { TargetStatus } from "../engine.ts";

export type BreakerState = TargetStatus["state"];

export type CircuitBreakerOptions = {
  readonly failures: number;
  readonly cooldownMs: number;
  readonly cooldownLimitMs: number;
  readonly clock: Clock;
  readonly probe: () => Promise<boolean>;
  readonly onTransition: (state: BreakerState) => void;
};

export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #state: BreakerState = "healthy";
  #failures = 0;
  #cooldownMs: number;
  #probeAt = 0;
  #trialRuns = false;
  /** Raised on every change, so that what began before it can be told apart. */
  #epoch = 0;
  #closed = false;
  #cancelAlarm: () => void = () => {};

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
    this.#cooldownMs = options.cooldownMs;
  }

  get state(): BreakerState {
    return this.#state;
  }

  get admits(): boolean {
    return this.#state === "healthy" || (this.#state === "probing" && !this.#trialRuns);
  }

  /** A permit to show with the result of the call, or undefined when none may pass. */
  admit(): number | undefined {
    if (!this.admits) return undefined;
    this.#trialRuns = this.#state === "probing";
    return this.#epoch;
  }

  succeeded(permit: number): void {
    if (permit !== this.#epoch) return;
    this.#failures = 0;
    if (this.#state !== "probing") return;
    this.#cooldownMs = this.#options.cooldownMs;
    this.#change("healthy");
  }

  failed(permit: number): void {
    if (permit !== this.#epoch || this.#closed) return;
    this.#failures += 1;
    if (this.#state === "probing" || this.#failures >= this.#options.failures) this.#open();
  }

  /** The call ended without telling anything about the target. */
  abandoned(permit: number): void {
    if (permit === this.#epoch) this.#trialRuns = false;
  }

  /** How long until calls may pass again, as far as can be known. */
  get retryAfterMs(): number {
    return this.#state === "open" ? Math.max(0, this.#probeAt - this.#options.clock.now()) : 0;
  }

  close(): void {
    this.#closed = true;
    this.#cancelAlarm();
  }

  #open(): void {
    const { clock, cooldownLimitMs } = this.#options;
    const pause = this.#cooldownMs;
    this.#cooldownMs = Math.min(pause * 2, cooldownLimitMs);
    this.#probeAt = clock.now() + pause;
    this.#cancelAlarm = clock.after(pause, () => void this.#probe());
    this.#change("open");
  }

  async #probe(): Promise<void> {
    const alive = await this.#options.probe();
    if (this.#closed) return;
    if (alive) this.#change("probing");
    else this.#open();
  }

  #change(state: BreakerState): void {
    const changed = state !== this.#state;
    this.#state = state;
    this.#epoch += 1;
    this.#failures = 0;
    this.#trialRuns = false;
    if (changed) this.#options.onTransition(state);
  }
}
