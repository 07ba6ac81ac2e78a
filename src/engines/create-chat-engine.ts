// Builds what runs a model out of its configuration.

import { randomBytes } from "node:crypto";
import type { Model } from "../catalog/index.ts";
import type { EngineConfig, UpstreamConfig } from "../config/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { ChatEngine } from "./engine.ts";
import { createOpenAiTarget } from "./openai/create-openai-target.ts";
import { createPool, type PoolHooks } from "./pool/create-pool.ts";
import { readUpstreamSettings, type UpstreamSettings } from "./read-upstream-settings.ts";
import type { Target } from "./target.ts";

export type ChatEngineOptions = PoolHooks & {
  readonly model: Pick<Model, "id" | "engines">;
  readonly upstream: UpstreamConfig;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  /** Ids for the tool calls that an upstream sends without one. */
  readonly createId?: () => string;
};

type TargetParts = {
  readonly modelId: string;
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
    modelId: model.id,
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

function createTarget(engine: EngineConfig, parts: TargetParts): Target {
  switch (engine.type) {
    case "openai":
      return createOpenAiTarget({ engine, ...parts });
  }
}

const createToolCallId = (): string => `tooluse_${randomBytes(16).toString("base64url")}`;
