// Shows what the meters hold as metric families. Everything is copied at the scrape, so that
// a request pays for additions only.

import { Counter, Gauge, type Registry } from "prom-client";
import { BucketHistogram } from "./bucket-histogram.ts";
import type { Buckets } from "./buckets.ts";
import type { Meters } from "./meters.ts";

export function showRequests(registry: Registry, meters: Meters): void {
  const registers = [registry];
  const histogram = (name: string, help: string, series: () => Iterable<Buckets>) =>
    new BucketHistogram({ name, help, registry, series });

  new Counter({
    name: "hearth_requests_total",
    help: "Requests answered.",
    labelNames: ["route", "model", "status"],
    registers,
    collect() {
      this.reset();
      for (const { labels, statuses } of meters.pairs()) {
        for (const [status, count] of statuses) this.inc({ ...labels, status }, count);
      }
    },
  });
  histogram("hearth_request_duration_seconds", "From a request's head to its reply's end.", () =>
    meters.pairs().map(({ duration }) => duration),
  );
  histogram("hearth_overhead_seconds", "What Hearth itself added to a request.", () =>
    Array.from(meters.routes(), ({ overhead }) => overhead),
  );
  new Gauge({
    name: "hearth_in_flight",
    help: "Requests being answered.",
    labelNames: ["route"],
    registers,
    collect() {
      for (const { labels, inFlight } of meters.routes()) this.set(labels, inFlight);
    },
  });
  new Counter({
    name: "hearth_tokens_total",
    help: "Tokens used; cached ones are part of prompt, reasoning ones of completion.",
    labelNames: ["model", "kind"],
    registers,
    collect() {
      this.reset();
      for (const { model, tokens } of meters.models()) {
        for (const [kind, count] of Object.entries(tokens)) this.inc({ model, kind }, count);
      }
    },
  });
  histogram("hearth_time_to_first_token_seconds", "From a request to its first token.", () =>
    Array.from(meters.models(), ({ firstToken }) => firstToken),
  );
  histogram("hearth_inter_token_seconds", "Between two pieces of a stream.", () =>
    Array.from(meters.models(), ({ gap }) => gap),
  );
  new Counter({
    name: "hearth_limit_decisions_total",
    help: "Admitted, or refused by the limit of requests or of tokens.",
    labelNames: ["model", "decision"],
    registers,
    collect() {
      this.reset();
      for (const { model, decisions } of meters.models()) {
        for (const [decision, count] of Object.entries(decisions)) {
          this.inc({ model, decision }, count);
        }
      }
    },
  });
}
