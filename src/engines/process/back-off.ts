// How long a process that died rests before it is started again: twice as long after each death
// in a row, with jitter, so that several that died of one cause do not come back at one moment.

import type { Clock } from "../clock.ts";

export type BackOffOptions = {
  readonly baseMs: number;
  readonly limitMs: number;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** Who stayed up so long has not died "again". */
const STABLE_MS = 60_000;

export class BackOff {
  readonly #options: BackOffOptions;
  #failures = 0;
  #until = 0;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  get restMs(): number {
    return Math.max(0, this.#until - this.#options.clock.now());
  }

  /** It died after having been of use for so long. */
  failed(upMs: number): void {
    const { baseMs, limitMs, clock, random } = this.#options;
    this.#failures = upMs >= STABLE_MS ? 1 : this.#failures + 1;
    const longestMs = Math.min(baseMs * 2 ** (this.#failures - 1), limitMs);
    this.#until = clock.now() + longestMs * (0.5 + 0.5 * random());
  }
}
