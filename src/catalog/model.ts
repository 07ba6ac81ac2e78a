// A model as data: what it is, what it can do, what it may cost, and what runs it.

import type { EngineConfig } from "../config/index.ts";

export type ModelKind = "chat" | "embedding" | "rerank" | "image";
export type ModelTier = "small" | "mid";

export type Limits = {
  /** Requests per sliding minute; null: unlimited. */
  readonly requests: number | null;
  /** Tokens per sliding minute; null: the model has no token limit. */
  readonly tokens: number | null;
};

export type Model = {
  readonly id: string;
  readonly kind: ModelKind;
  /** Chat models of the first family only: the message-style API serves these. */
  readonly tier: ModelTier | null;
  readonly generation: string | null;
  /** Null: the model does not think. */
  readonly thinking: { readonly minBudgetTokens: number; readonly maxBudgetTokens: number } | null;
  readonly vision: boolean;
  /** Tokens of prompt and output together. */
  readonly context: number;
  readonly maxOutputTokens: number;
  readonly limits: Limits;
  readonly cacheMinTokens: number;
  readonly regions: readonly string[];
  /** Empty: the id is well known, but nothing here runs it. */
  readonly engines: readonly EngineConfig[];
};
