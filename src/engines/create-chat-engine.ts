// Builds what runs a model out of its configuration.

import { randomBytes } from "node:crypto";
import type { Model } from "../catalog/index.ts";
import type { EngineConfig, UpstreamConfig } from "../config/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { ChatEngine } from "./engine.ts";
import type { LlamaEngines } from "./llama/llama-engines.ts";
import { createOpenAiTarget } from "./openai/create-openai-target.ts";
import { createPool, type PoolHooks } from "./pool/create-pool.ts";
import { readUpstreamSettings, type UpstreamSettings } from "./read-upstream-settings.ts";
import type { Target } from "./target.ts";

export type ChatEngineOptions = PoolHooks & {
  readonly model: Pick<Model, "id" | "engines" | "context" | "cacheMinTokens">;
  readonly upstream: UpstreamConfig;
  /** Where models that run inside are; needed for engines of the type `llama`. */
  readonly llama?: LlamaEngines;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  /** Ids for the tool calls that an upstream sends without one. */
  readonly createId?: () => string;
};

type TargetParts = {
  readonly model: ChatEngineOptions["model"];
  readonly llama: LlamaEngines | undefined;
  readonly settings: UpstreamSettings;
  readonly clock: Clock;
  readonly createId: () => string;
};

export function createChatEngine(options: ChatEngineOptions): ChatEngine {
  const { model, upstream, onTransition, onRetry } = options;
  if (model.engines.length === 0) throw new Error(`nothing runs the model ${model.id}`);
  const settings = readUpstreamSettings(upstream);
  const clock = options.clock ?? systemClock;
  const parts: TargetParts = {
    model,
    llama: options.llama,
    settings,
    clock,
    createId: options.createId ?? createToolCallId,
  };
  return createPool({
    targets: model.engines.map((engine) => createTarget(engine, parts)),
    settings,
    clock,
    random: options.random ?? Math.random,
    hooks: { ...(onTransition && { onTransition }), ...(onRetry && { onRetry }) },
  });
}

function createTarget(engine: EngineConfig, { model, llama, ...parts }: TargetParts): Target {
  switch (engine.type) {
    case "openai":
      return createOpenAiTarget({ engine, modelId: model.id, ...parts });
    case "llama":
      if (llama === undefined) throw new Error(`nothing here can run ${model.id} inside`);
      return llama.target(engine, model);
  }
}

const createToolCallId = (): string => `tooluse_${randomBytes(16).toString("base64url")}`;
