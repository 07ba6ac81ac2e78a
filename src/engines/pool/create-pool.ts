// The engine of a model: its targets, and the patience with them. Until the first event has
// reached the caller a failed try may be repeated: at once on a target that was not tried
// yet, after a pause on one that was. A model with one engine is a pool of one.

import { type Call, type EventSink, overloaded } from "../../call/index.ts";
import type { Clock } from "../clock.ts";
import type { ChatEngine, TargetStatus } from "../engine.ts";
import { pause } from "../pause.ts";
import type { UpstreamSettings } from "../read-upstream-settings.ts";
import type { AttemptFailure, Target } from "../target.ts";
import { chooseTarget } from "./choose-target.ts";
import { hashPrefix } from "./hash-prefix.ts";
import { PoolMember } from "./pool-member.ts";
import { RetryBudget } from "./retry-budget.ts";
import { retryDelay } from "./retry-delay.ts";
import { StartedSink } from "./started-sink.ts";

export type PoolHooks = {
  /** A target was taken out, is on trial, or is back. */
  readonly onTransition?: (target: string, state: TargetStatus["state"]) => void;
  /** A try failed and another follows: on the same target, or on another one. */
  readonly onRetry?: (target: string, kind: "retry" | "failover") => void;
};

export type PoolOptions = {
  readonly targets: readonly Target[];
  readonly settings: UpstreamSettings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks: PoolHooks;
};

type Place = { readonly member: PoolMember; readonly permit: number };
type Tried = Map<PoolMember, AttemptFailure>;

export function createPool({ targets, settings, clock, random, hooks }: PoolOptions): ChatEngine {
  const names = uniqueNames(targets);
  const members = targets.map((target, index) => {
    const name = names[index] ?? target.name;
    const onTransition = (state: TargetStatus["state"]): void => hooks.onTransition?.(name, state);
    return new PoolMember({ target, name, settings, clock, onTransition });
  });
  const budget = new RetryBudget(clock);
  let closed = false;

  async function run(call: Call, sink: EventSink, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    budget.earn();
    const output = new StartedSink(sink);
    const prefix = members.length > 1 ? hashPrefix(call) : undefined;
    const tried: Tried = new Map();
    let waits = 0;
    let waitedMs = 0;
    let last: AttemptFailure | undefined;

    for (let tries = 1; tries <= settings.attempts; tries++) {
      let place = await enter(prefix, tried, signal);
      if (place !== undefined && last !== undefined) hooks.onRetry?.(place.member.name, "failover");
      if (place === undefined && last !== undefined) {
        const delayMs = shortestDelay(tried, waits);
        if (waitedMs + delayMs > settings.retryLimitMs || !budget.spend()) break;
        await pause(delayMs, clock, signal);
        waits += 1;
        waitedMs += delayMs;
        forgetRetryable(tried);
        place = await enter(prefix, tried, signal);
        if (place !== undefined) hooks.onRetry?.(place.member.name, "retry");
      }
      if (place === undefined) break;

      last = await place.member.attempt(call, output, signal, place.permit);
      if (last === undefined) return;
      if (isFinal(last, output)) break;
      tried.set(place.member, last);
    }
    throw last?.error ?? nobodyTakesCalls(members);
  }

  /** Finds a target that was not tried, and waits for one of its connections. */
  async function enter(
    prefix: number | undefined,
    tried: Tried,
    signal: AbortSignal,
  ): Promise<Place | undefined> {
    for (;;) {
      const member = choose(prefix, tried);
      if (member === undefined) return undefined;
      if (!member.slots.tryTake()) await member.slots.wait(signal);
      const permit = closed ? undefined : member.breaker.admit();
      if (permit !== undefined) return { member, permit };
      // Taken out while this call waited: the slot goes on to the next, who will see it too.
      member.slots.release();
    }
  }

  function choose(prefix: number | undefined, tried: Tried): PoolMember | undefined {
    if (closed) return undefined;
    const [only] = members;
    if (members.length === 1 && only !== undefined) {
      return only.takesCalls && !tried.has(only) ? only : undefined;
    }
    const open = members.filter((member) => member.takesCalls && !tried.has(member));
    let candidates = open.filter((member) => !member.rests);
    // Who asked to be left alone is asked only where there is nobody else to ask.
    if (candidates.length === 0 && tried.size === 0) candidates = open;
    const free = candidates.filter((member) => member.slots.free);
    return chooseTarget(free.length > 0 ? free : candidates, prefix, random);
  }

  function shortestDelay(tried: Tried, earlier: number): number {
    let shortest = Number.POSITIVE_INFINITY;
    for (const { error } of tried.values()) {
      if (!error.retryable) continue;
      const { retryAfterSeconds } = error;
      const baseMs = settings.retryDelayMs;
      const delay = retryDelay({ baseMs, earlier, retryAfterSeconds, random });
      shortest = Math.min(shortest, delay);
    }
    return shortest;
  }

  return {
    run,
    status: () => members.map(({ name, state, load }) => ({ name, state, inFlight: load })),
    async close() {
      closed = true;
      await Promise.all(members.map((member) => member.close()));
    },
  };
}

/** A call that took its time-out to fail is not made to wait for another. */
const isFinal = (failure: AttemptFailure, output: StartedSink): boolean =>
  output.started || failure.fault === "caller" || failure.error.status === 504;

function forgetRetryable(tried: Tried): void {
  for (const [member, { error }] of tried) if (error.retryable) tried.delete(member);
}

function nobodyTakesCalls(members: readonly PoolMember[]): Error {
  const waiting = members.filter((member) => member.breaker.admits);
  if (waiting.length > 0) return overloaded("every connection of this model's engines is busy");
  const soonestMs = Math.min(...members.map((member) => member.breaker.retryAfterMs));
  const seconds = Math.max(1, Math.ceil(soonestMs / 1000));
  return overloaded("the engines behind this model are out of order", seconds);
}

/** Two engines may share an address and a model; metrics and hashing must tell them apart. */
function uniqueNames(targets: readonly Target[]): string[] {
  const seen = new Map<string, number>();
  return targets.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}#${count}`;
  });
}
