// From hearth.json to what the model's process is told, with the defaults of this machine.

import { availableParallelism } from "node:os";
import type { Model } from "../../catalog/index.ts";
import {
  type LlamaEngineConfig,
  type LocalConfig,
  parseDuration,
  parseSize,
} from "../../config/index.ts";
import type { ProcessSettings } from "../process/process-options.ts";
import type { LlamaSettings } from "./protocol.ts";

/** All but the places on the disk, which are found when the model is loaded. */
export type ModelSettings = Omit<LlamaSettings, "path" | "cacheDirectory">;

export type LocalModel = Pick<Model, "id" | "context" | "cacheMinTokens">;

const BACK_OFF_MS = 500;
const BACK_OFF_LIMIT_MS = 60_000;

export function readModelSettings(
  engine: LlamaEngineConfig,
  model: LocalModel,
  local: LocalConfig,
): ModelSettings {
  return {
    threads: engine.threads ?? Math.max(1, availableParallelism() - 1),
    sequences: engine.sequences ?? 4,
    context: engine.context ?? model.context,
    batch: engine.batch ?? 128,
    gpu: engine.gpu ?? "none",
    repeatPenalty: engine.repeat_penalty ?? 1.1,
    defaultSystem: engine.default_system ?? null,
    maxQueue: engine.max_queue ?? 64,
    cacheMinTokens: model.cacheMinTokens,
    cacheMaxBytes: parseSize(local.prompt_cache),
    cacheIdleMs: parseDuration(local.prompt_cache_idle),
  };
}

export function readProcessSettings(
  engine: LlamaEngineConfig,
  local: LocalConfig,
): ProcessSettings {
  return {
    startLimitMs: parseDuration(local.load_timeout),
    stopLimitMs: parseDuration(local.stop_timeout),
    idleMs: parseDuration(engine.idle_unload ?? "15m"),
    heartbeatMs: parseDuration(local.heartbeat),
    heartbeatLimitMs: parseDuration(local.heartbeat_limit),
    backOffMs: BACK_OFF_MS,
    backOffLimitMs: BACK_OFF_LIMIT_MS,
  };
}
