// The models that run inside, as their processes last told: work, kept prompts, memory. A
// process that is started again counts from zero, as Prometheus expects of counters.

import { Counter, Gauge, type Registry } from "prom-client";
import type { LlamaReading } from "../engines/index.ts";

type Read = (stats: LlamaReading["stats"]) => number;

export function showLocalModels(registry: Registry, source: () => Iterable<LlamaReading>): void {
  const gauge = (name: string, help: string, read: Read) =>
    new Gauge({
      name,
      help,
      labelNames: ["model"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { model, stats } of source()) this.set({ model }, read(stats));
      },
    });
  const counter = (name: string, help: string, read: Read) =>
    new Counter({
      name,
      help,
      labelNames: ["model"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { model, stats } of source()) this.inc({ model }, read(stats));
      },
    });
  gauge("hearth_local_running", "Calls that a model inside works on.", ({ running }) => running);
  gauge("hearth_local_waiting", "Calls that wait for a place.", ({ waiting }) => waiting);
  gauge(
    "hearth_local_resident_bytes",
    "Memory of a model's process.",
    ({ residentBytes }) => residentBytes,
  );
  gauge("hearth_prompt_cache_bytes", "Size of the kept prompts.", ({ cacheBytes }) => cacheBytes);
  gauge("hearth_prompt_cache_entries", "Kept prompts.", ({ cacheEntries }) => cacheEntries);
  counter("hearth_prompt_cache_hits_total", "Prompts found kept.", ({ cacheHits }) => cacheHits);
  counter(
    "hearth_prompt_cache_misses_total",
    "Prompts that could have been kept and were not.",
    ({ cacheMisses }) => cacheMisses,
  );
}
