// The models that run inside, all of them: models with the same weights and settings share one
// process, and all processes share one memory budget.

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import {
  type LlamaEngineConfig,
  type LocalConfig,
  parseDuration,
  parseSize,
} from "../../config/index.ts";
import type { PullProgress, WeightsStore } from "../../weights/weights.ts";
import { type Clock, systemClock } from "../clock.ts";
import { createMemoryBudget } from "../process/memory-budget.ts";
import type { ProcessLog } from "../process/process-options.ts";
import type { Target } from "../target.ts";
import { createLlamaTarget } from "./create-llama-target.ts";
import { LlamaEngine } from "./llama-engine.ts";
import { LocalWeights } from "./local-weights.ts";
import type { LlamaStats } from "./protocol.ts";
import { type LocalModel, readModelSettings, readProcessSettings } from "./read-llama-settings.ts";

export type LlamaEnginesOptions = {
  readonly local: LocalConfig;
  readonly weights: WeightsStore;
  /** Kept prompts lie under it; without one, in the temporary directory. */
  readonly dataDirectory?: string | undefined;
  readonly log: ProcessLog;
  readonly onPull?: ((model: string, progress: PullProgress | "done") => void) | undefined;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** The program of the processes; tests have their own. */
  readonly module?: URL;
};

export type LlamaReading = {
  /** The model that was opened first; others may share its process. */
  readonly model: string;
  readonly stats: LlamaStats;
};

export interface LlamaEngines {
  target(engine: LlamaEngineConfig, model: LocalModel): Target;
  /** Has the weights of a model fetched where they are missing; says whether they were. */
  prepare(modelId: string): Promise<boolean>;
  /** What the processes that run now tell of themselves. */
  readings(): readonly LlamaReading[];
}

type Shared = {
  readonly engine: LlamaEngine;
  readonly name: string;
  readonly models: Set<string>;
  targets: number;
};

const WORKER = new URL(`./worker/main${extname(import.meta.url)}`, import.meta.url);

export function createLlamaEngines(options: LlamaEnginesOptions): LlamaEngines {
  const { local, weights, log, onPull, module = WORKER } = options;
  const { clock = systemClock, random = Math.random } = options;
  const budget = createMemoryBudget(local.memory === null ? null : parseSize(local.memory));
  const opened = new Map<string, Shared>();
  const cacheRoot = join(
    options.dataDirectory ?? join(tmpdir(), `hearth-${process.pid}`),
    "prompts",
  );

  const open = (config: LlamaEngineConfig, model: LocalModel, key: string): Shared => {
    const name = model.id;
    const { weights: source, sha256 } = config;
    const engine = new LlamaEngine({
      name,
      module,
      weights: new LocalWeights({
        name,
        reference: { source, ...(sha256 !== undefined && { sha256 }) },
        store: weights,
        waitMs: parseDuration(local.weights_wait),
        clock,
        random,
        log,
        onProgress: onPull,
      }),
      model: readModelSettings(config, model, local),
      process: readProcessSettings(config, local),
      cacheDirectory: join(cacheRoot, createHash("sha256").update(key).digest("hex").slice(0, 16)),
      budget,
      clock,
      random,
      log,
    });
    return { engine, name, models: new Set(), targets: 0 };
  };

  return {
    target(config, model) {
      const { weight = 1, ...own } = config;
      const key = JSON.stringify([own, readModelSettings(config, model, local)]);
      const shared = opened.get(key) ?? open(config, model, key);
      opened.set(key, shared);
      shared.models.add(model.id);
      shared.targets += 1;
      const release = async (): Promise<void> => {
        shared.targets -= 1;
        if (shared.targets > 0) return;
        opened.delete(key);
        await shared.engine.close();
      };
      return createLlamaTarget({ engine: shared.engine, modelId: model.id, weight, release });
    },
    async prepare(modelId) {
      const own = [...opened.values()].filter(({ models }) => models.has(modelId));
      const fetched = await Promise.all(own.map(({ engine }) => engine.prepare()));
      return fetched.includes(true);
    },
    readings: () =>
      [...opened.values()].flatMap(({ engine: { stats }, name }) =>
        stats === undefined ? [] : [{ model: name, stats }],
      ),
  };
}
