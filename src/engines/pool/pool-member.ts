// A target with what the pool knows of it: its health, its connections, and whether it
// asked to be left alone for a while.

import type { Call } from "../../call/index.ts";
import type { Clock } from "../clock.ts";
import type { UpstreamSettings } from "../read-upstream-settings.ts";
import type { AttemptFailure, Target } from "../target.ts";
import { seedOf } from "./choose-target.ts";
import { type BreakerState, CircuitBreaker } from "./circuit-breaker.ts";
import { Slots } from "./slots.ts";
import type { StartedSink } from "./started-sink.ts";

export type PoolMemberOptions = {
  readonly target: Target;
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly clock: Clock;
  readonly onTransition: (state: BreakerState) => void;
};

export class PoolMember {
  readonly name: string;
  readonly weight: number;
  readonly seed: number;
  readonly slots: Slots;
  readonly breaker: CircuitBreaker;
  readonly #target: Target;
  readonly #clock: Clock;
  #restsUntil = 0;

  constructor({ target, name, settings, clock, onTransition }: PoolMemberOptions) {
    this.name = name;
    this.weight = target.weight;
    this.seed = seedOf(name);
    this.#target = target;
    this.#clock = clock;
    this.slots = new Slots(target.connections, target.maxQueue ?? settings.maxQueue);
    this.breaker = new CircuitBreaker({
      failures: settings.breakerFailures,
      cooldownMs: settings.breakerCooldownMs,
      cooldownLimitMs: settings.breakerCooldownLimitMs,
      clock,
      probe: () => target.probe(),
      onTransition,
    });
  }

  get load(): number {
    return this.slots.load;
  }

  get state(): BreakerState {
    return this.#target.state?.() ?? this.breaker.state;
  }

  get takesCalls(): boolean {
    return this.breaker.admits && (this.slots.free || this.slots.queueable);
  }

  get rests(): boolean {
    return this.#restsUntil > this.#clock.now();
  }

  /** One try, on a slot that was taken and with a permit of the breaker. */
  async attempt(
    call: Call,
    sink: StartedSink,
    signal: AbortSignal,
    permit: number,
  ): Promise<AttemptFailure | undefined> {
    // A whole generation may take minutes: the first event is proof enough of life.
    const probing = this.breaker.state === "probing";
    sink.onStart = probing ? () => this.breaker.succeeded(permit) : undefined;
    try {
      const failure = await this.#target.attempt(call, sink, signal);
      if (failure?.fault === "target") this.breaker.failed(permit);
      else this.breaker.succeeded(permit);
      if (failure?.fault === "busy") this.#rest(failure.error.retryAfterSeconds ?? 0);
      return failure;
    } catch (reason) {
      this.breaker.abandoned(permit);
      throw reason;
    } finally {
      this.slots.release();
    }
  }

  async close(): Promise<void> {
    this.breaker.close();
    await this.#target.close();
  }

  #rest(seconds: number): void {
    this.#restsUntil = Math.max(this.#restsUntil, this.#clock.now() + seconds * 1000);
  }
}
