// The ids that clients of such services already use, with their published numbers. None has
// an engine of its own: hearth.json says what runs one, and inherits the rest from here.

import type { Model } from "./model.ts";

type Entry = Partial<Omit<Model, "id" | "engines">> & Pick<Model, "kind">;

const TOKENS_PER_MINUTE = 800_000;
const MIN_BUDGET_TOKENS = 1024;

export const OUTPUT_MAXIMUM = { small: 4096, mid: 8192 } as const;
const DEFAULT_CONTEXT = 32_768;
const DEFAULT_REGIONS = ["local"] as const;

/** What an entry that says nothing gets. Numbers of the limits: those of its model class. */
export function completeModel(id: string, entry: Entry): Model {
  const tier = entry.tier ?? null;
  const maxOutputTokens = entry.maxOutputTokens ?? OUTPUT_MAXIMUM[tier ?? "mid"];
  return {
    id,
    kind: entry.kind,
    tier,
    generation: entry.generation ?? null,
    thinking: entry.thinking ?? null,
    vision: entry.vision ?? false,
    context: entry.context ?? DEFAULT_CONTEXT,
    maxOutputTokens,
    limits: entry.limits ?? classLimits(entry.kind, tier),
    cacheMinTokens: entry.cacheMinTokens ?? 1024,
    regions: entry.regions ?? DEFAULT_REGIONS,
    engines: [],
  };
}

export function thinkingUpTo(maxBudgetTokens: number): NonNullable<Model["thinking"]> {
  return { minBudgetTokens: MIN_BUDGET_TOKENS, maxBudgetTokens };
}

function classLimits(kind: Model["kind"], tier: Model["tier"]): Model["limits"] {
  switch (kind) {
    case "image":
      return { requests: 20, tokens: null };
    case "rerank":
      return { requests: 250, tokens: null };
    case "embedding":
      return { requests: 500, tokens: TOKENS_PER_MINUTE };
    case "chat":
      return { requests: tier === "small" ? 200 : 150, tokens: TOKENS_PER_MINUTE };
  }
}

const sonnet = (generation: string, entry: Partial<Entry> = {}): Entry => ({
  kind: "chat",
  tier: "mid",
  generation,
  vision: true,
  context: 200_000,
  ...entry,
});

const haiku = (generation: string, entry: Partial<Entry> = {}): Entry => ({
  kind: "chat",
  tier: "small",
  generation,
  context: 200_000,
  ...entry,
});

const ENTRIES: Readonly<Record<string, Entry>> = {
  "claude-4-5-sonnet": sonnet("4.5"),
  "claude-4-sonnet": sonnet("4", { thinking: thinkingUpTo(OUTPUT_MAXIMUM.mid) }),
  "claude-3-7-sonnet": sonnet("3.7", { thinking: thinkingUpTo(OUTPUT_MAXIMUM.mid) }),
  "claude-4-5-haiku": haiku("4.5", { vision: true, cacheMinTokens: 4096 }),
  "claude-3-5-haiku": haiku("3.5"),
  "claude-3-haiku": haiku("3", { limits: { requests: 250, tokens: TOKENS_PER_MINUTE } }),
  "nova-pro": { kind: "chat", vision: true, context: 300_000, cacheMinTokens: 1000 },
  "nova-lite": { kind: "chat", vision: true, context: 300_000, cacheMinTokens: 1000 },
  "gpt-oss-120b": {
    kind: "chat",
    context: 131_072,
    limits: { requests: 200, tokens: TOKENS_PER_MINUTE },
  },
  "cohere-embed-multilingual": { kind: "embedding", context: 512 },
  "cohere-rerank-3-5": { kind: "rerank", context: 4096 },
  "amazon-rerank-1-0": { kind: "rerank", context: 4096 },
  "stable-image-ultra": { kind: "image", context: 10_000 },
};

export const wellKnownModels: readonly Model[] = Object.entries(ENTRIES).map(([id, entry]) =>
  completeModel(id, entry),
);
