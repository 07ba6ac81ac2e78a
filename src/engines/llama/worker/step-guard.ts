// The library does not reject a step whose sampling failed: the promise never settles, and the
// error surfaces as an unhandled rejection that names no sequence. Whoever sees one tells it here:
// the steps that are still out a moment later are the lost ones.

import { serverError } from "../../../call/index.ts";
import type { Clock } from "../../clock.ts";

const graceMs = 500;

export class StepGuard {
  readonly #clock: Clock;
  readonly #losses = new WeakSet<object>();
  readonly #pending = new Set<(error: Error) => void>();
  #number = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of the step that is out; undefined between steps. */
  get step(): number | undefined {
    return this.#pending.size > 0 ? this.#number : undefined;
  }

  watch<T>(step: Promise<T>): Promise<T> {
    if (this.#pending.size === 0) this.#number += 1;
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      // Settled before it is told: the next step may be watched as soon as this one is known.
      step.then(
        (value) => this.#pending.delete(reject) && resolve(value),
        (error: unknown) => this.#pending.delete(reject) && reject(error),
      );
    });
  }

  lose(reason: unknown): boolean {
    const out = [...this.#pending];
    this.#clock.after(graceMs, () => {
      const error = serverError("the model could not choose a token", reason);
      this.#losses.add(error);
      for (const reject of out) {
        if (this.#pending.delete(reject)) reject(error);
      }
    });
    return out.length > 0;
  }

  isLoss(error: unknown): boolean {
    return error instanceof Error && this.#losses.has(error);
  }
}
