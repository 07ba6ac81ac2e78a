// What is counted while a request runs: plain numbers, shared per route and per model, held
// by one meter for each pair. No label is looked at between a request's start and its end.

import type { Usage } from "../call/index.ts";
import {
  Buckets,
  DURATION_BOUNDS,
  FIRST_TOKEN_BOUNDS,
  GAP_BOUNDS,
  type Labels,
  OVERHEAD_BOUNDS,
} from "./buckets.ts";

export type LimitDecision = "admitted" | "requests" | "tokens";

export type FinishedRequest = {
  readonly status: number;
  readonly seconds: number;
  /** Of those, what Hearth itself added: not the engine's time, nor the reader's. */
  readonly overheadSeconds?: number | undefined;
};

/**
 * One route and one model. `started` and `finished` come in pairs.
 * A request whose model is not known yet may start on the meter of the route alone and finish
 * on the model's: what is in flight is counted by route.
 */
export interface RouteMeter {
  started(): void;
  limited(decision: LimitDecision): void;
  firstToken(seconds: number): void;
  /** The time between two pieces of a stream. */
  gap(seconds: number): void;
  /** The tokens of one inference, of which a request may have several. */
  used(usage: Usage): void;
  finished(request: FinishedRequest): void;
}

export class RouteTotals {
  readonly labels: Labels;
  readonly overhead: Buckets;
  inFlight = 0;

  constructor(route: string) {
    this.labels = { route };
    this.overhead = new Buckets(OVERHEAD_BOUNDS, this.labels);
  }
}

export class ModelTotals {
  readonly model: string;
  readonly firstToken: Buckets;
  readonly gap: Buckets;
  readonly tokens = { prompt: 0, completion: 0, cached: 0, reasoning: 0 };
  readonly decisions: Record<LimitDecision, number> = { admitted: 0, requests: 0, tokens: 0 };

  constructor(model: string) {
    this.model = model;
    this.firstToken = new Buckets(FIRST_TOKEN_BOUNDS, { model });
    this.gap = new Buckets(GAP_BOUNDS, { model });
  }
}

export class PairMeter implements RouteMeter {
  readonly labels: { readonly route: string; readonly model: string };
  readonly duration: Buckets;
  readonly statuses = new Map<number, number>();
  readonly #route: RouteTotals;
  readonly #model: ModelTotals;

  constructor(
    route: RouteTotals,
    model: ModelTotals,
    labels: { readonly route: string; readonly model: string },
  ) {
    this.labels = labels;
    this.duration = new Buckets(DURATION_BOUNDS, labels);
    this.#route = route;
    this.#model = model;
  }

  started(): void {
    this.#route.inFlight++;
  }

  limited(decision: LimitDecision): void {
    this.#model.decisions[decision]++;
  }

  firstToken(seconds: number): void {
    this.#model.firstToken.observe(seconds);
  }

  gap(seconds: number): void {
    this.#model.gap.observe(seconds);
  }

  finished({ status, seconds, overheadSeconds }: FinishedRequest): void {
    this.#route.inFlight--;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.duration.observe(seconds);
    if (overheadSeconds !== undefined) this.#route.overhead.observe(overheadSeconds);
  }

  used(usage: Usage): void {
    const { tokens } = this.#model;
    tokens.prompt += usage.promptTokens;
    tokens.completion += usage.completionTokens;
    tokens.cached += usage.cachedTokens ?? 0;
    tokens.reasoning += usage.reasoningTokens ?? 0;
  }
}
