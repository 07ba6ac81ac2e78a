// What runs the models: an engine for each model of the catalog that has one, and the processes
// of those that run inside.

import type { Catalog } from "../catalog/index.ts";
import type { Config } from "../config/index.ts";
import {
  type ChatEngine,
  createChatEngine,
  createLlamaEngines,
  type LlamaReading,
} from "../engines/index.ts";
import type { EngineReading, Log, Metrics } from "../ops/index.ts";
import type { PullProgress, WeightsStore } from "../weights/index.ts";

export type EnginesOptions = {
  readonly catalog: Catalog;
  readonly config: Config;
  readonly weights: WeightsStore;
  readonly dataDirectory: string;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly onPull: ((model: string, progress: PullProgress | "done") => void) | undefined;
};

export interface Engines {
  /** By model id. */
  readonly chat: ReadonlyMap<string, ChatEngine>;
  readings(): EngineReading[];
  /** What the processes of models that run inside tell of themselves. */
  localReadings(): readonly LlamaReading[];
  /** Has the weights of a model fetched where they are missing; says whether they were. */
  prepare(modelId: string): Promise<boolean>;
  close(): Promise<void>;
}

export function openEngines(options: EnginesOptions): Engines {
  const { catalog, config, weights, dataDirectory, metrics, log, onPull } = options;
  const llama = createLlamaEngines({ local: config.local, weights, dataDirectory, log, onPull });
  const chat = new Map<string, ChatEngine>();
  for (const model of catalog.available()) {
    if (model.kind !== "chat") continue;
    const engine = createChatEngine({
      model,
      upstream: config.upstream,
      llama,
      onTransition: (target, state) => metrics.upstreamChanged(model.id, target, state),
    });
    chat.set(model.id, engine);
  }
  return {
    chat,
    readings: () => [...chat].map(([model, engine]) => ({ model, targets: engine.status() })),
    localReadings: () => llama.readings(),
    prepare: (modelId) => llama.prepare(modelId),
    async close() {
      await Promise.all([...chat.values()].map((engine) => engine.close()));
    },
  };
}
