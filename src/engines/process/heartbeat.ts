// Whether a process still listens. Beats are counted and not milliseconds: when the machine was
// asleep, or we were busy ourselves, one late timer must not look like a minute of silence.

import type { Clock } from "../clock.ts";

export type HeartbeatOptions = {
  readonly intervalMs: number;
  /** So long without a word from the process, and it is taken for stuck. */
  readonly limitMs: number;
  readonly clock: Clock;
  /** Asks the process for a sign of life. */
  readonly ask: (nonce: number) => void;
  readonly onStuck: () => void;
};

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #mostMissed: number;
  #nonce = 0;
  #missed = 0;
  #cancel: () => void = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#mostMissed = Math.max(1, Math.ceil(options.limitMs / options.intervalMs));
    this.#next();
  }

  /** Anything that it says is a sign of life. */
  heard(): void {
    this.#missed = 0;
  }

  stop(): void {
    this.#cancel();
  }

  #next(): void {
    this.#cancel = this.#options.clock.after(this.#options.intervalMs, () => this.#beat());
  }

  #beat(): void {
    if (this.#missed >= this.#mostMissed) {
      this.#options.onStuck();
      return;
    }
    this.#missed += 1;
    this.#nonce += 1;
    this.#options.ask(this.#nonce);
    this.#next();
  }
}
