// What the process itself costs: prom-client's usual set, with the event loop measured our
// way. Node's delay histogram includes its own sampling interval, so prom-client's
// nodejs_eventloop_lag_* never go below 10 ms; here the interval is taken off.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";

const SAMPLE_MS = 10;
const PERCENTILES = [50, 99, 100] as const;
/** Counting handles walks over every connection, twice; nodejs_active_resources says the same. */
const REPLACED = /^nodejs_(eventloop_lag|active_handles|active_requests)/;

/** Returns what stops the measurement. */
export function showProcess(registry: Registry, version: string): () => void {
  // prom-client's own delay histogram cannot be left out or stopped: let it sleep instead.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 60_000 });
  for (const { name } of registry.getMetricsAsArray()) {
    if (REPLACED.test(name)) registry.removeSingleMetric(name);
  }

  new Gauge({
    name: "hearth_build_info",
    help: "Always 1; the labels say what runs.",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);

  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  new Gauge({
    name: "hearth_event_loop_lag_seconds",
    help: "How late the event loop was since the last scrape: median, 99th percentile, worst.",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      for (const percentile of PERCENTILES) {
        const lateMs = delay.percentile(percentile) / 1e6 - SAMPLE_MS;
        this.set({ quantile: percentile / 100 }, Math.max(0, lateMs / 1000));
      }
      delay.reset();
    },
  });
  return () => delay.disable();
}
