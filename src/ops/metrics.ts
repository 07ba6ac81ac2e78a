// The numbers of the house as Prometheus text: what requests did, how the engines and the
// ledger stand, what the process costs. On a registry of our own, so that two services in
// one process (as in tests) do not mix.

import { Counter, Gauge, Registry } from "prom-client";
import type { LlamaReading, TargetStatus } from "../engines/index.ts";
import { showLocalModels } from "./local-model-metrics.ts";
import { createMeters } from "./meters.ts";
import { showProcess } from "./process-metrics.ts";
import { showRequests } from "./request-metrics.ts";
import type { RouteMeter } from "./route-meter.ts";

export type EngineReading = {
  readonly model: string;
  readonly targets: readonly TargetStatus[];
};

export interface Metrics {
  /** `route` is the pattern. Fetched once a request; the same pair gives the same meter. */
  meter(route: string, model?: string): RouteMeter;
  /** Asked at every scrape. */
  watchEngines(source: () => Iterable<EngineReading>): void;
  /** Asked at every scrape: what the processes of models that run inside tell. */
  watchLocalModels(source: () => Iterable<LlamaReading>): void;
  /** Asked at every scrape: how many bytes of the ledger the database does not have yet. */
  watchLedger(waitingBytes: () => number): void;
  /** Asked at every scrape: how many streams are being written. */
  watchStreams(open: () => number): void;
  upstreamChanged(model: string, target: string, state: TargetStatus["state"]): void;
  ledgerFailed(): void;
  readonly contentType: string;
  text(): Promise<string>;
  close(): void;
}

export type MetricsOptions = {
  /** The ids of the catalog: the only values of the label `model` besides `other`. */
  readonly models: Iterable<string>;
  readonly version: string;
};

const STATE_VALUE = { healthy: 1, probing: 0.5, open: 0 } as const;

export function createMetrics({ models, version }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const meters = createMeters(models);
  let engines: () => Iterable<EngineReading> = () => [];
  let localModels: () => Iterable<LlamaReading> = () => [];
  let openStreams = (): number => 0;
  let ledgerWaiting = (): number => 0;

  showRequests(registry, meters);

  const ofTargets = (name: string, help: string, read: (target: TargetStatus) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["model", "target"],
      registers,
      collect() {
        this.reset();
        for (const { model, targets } of engines()) {
          for (const target of targets) this.set({ model, target: target.name }, read(target));
        }
      },
    });
  ofTargets(
    "hearth_upstream_state",
    "1 healthy, 0.5 being probed, 0 taken out.",
    ({ state }) => STATE_VALUE[state],
  );
  ofTargets("hearth_upstream_in_flight", "Calls at a target.", ({ inFlight }) => inFlight);
  showLocalModels(registry, () => localModels());
  const transitions = new Counter({
    name: "hearth_upstream_transitions_total",
    help: "Targets taken out, probed and taken back.",
    labelNames: ["model", "target", "state"],
    registers,
  });
  new Gauge({
    name: "hearth_open_streams",
    help: "Streams being written.",
    registers,
    collect() {
      this.set(openStreams());
    },
  });
  new Gauge({
    name: "hearth_ledger_waiting_bytes",
    help: "Bytes of the ledger that are in the journal and not in the database yet.",
    registers,
    collect() {
      this.set(ledgerWaiting());
    },
  });
  const ledgerErrors = new Counter({
    name: "hearth_ledger_errors_total",
    help: "Writes of the ledger that failed.",
    registers,
  });

  const stopWatchingProcess = showProcess(registry, version);

  return {
    meter: (route, model = "") => meters.meter(route, model),
    watchEngines(source) {
      engines = source;
    },
    watchLocalModels(source) {
      localModels = source;
    },
    watchLedger(waitingBytes) {
      ledgerWaiting = waitingBytes;
    },
    watchStreams(open) {
      openStreams = open;
    },
    upstreamChanged: (model, target, state) => transitions.inc({ model, target, state }),
    ledgerFailed: () => ledgerErrors.inc(),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      stopWatchingProcess();
      registry.clear();
    },
  };
}
