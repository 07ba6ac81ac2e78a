// What models exist: the well-known ids and the models that run inside, with what hearth.json
// adds or lays over them.

import type { ModelConfig } from "../config/index.ts";
import { localModels } from "./local-models.ts";
import type { Model, ModelKind } from "./model.ts";
import { completeModel, OUTPUT_MAXIMUM, thinkingUpTo, wellKnownModels } from "./well-known.ts";

export interface Catalog {
  find(id: string): Model | undefined;
  /** Every known model, in catalog order, also those that nothing here runs. */
  all(): readonly Model[];
  /** Those that something here runs. */
  available(): readonly Model[];
  /** The reply of GET /available-models. */
  listing(): readonly ModelListing[];
}

export type ModelListing = {
  readonly model_id: string;
  readonly type: readonly string[];
  readonly regions: readonly string[];
};

const LISTED_TYPE: Readonly<Record<ModelKind, string>> = {
  chat: "text-to-text",
  embedding: "text-to-embedding",
  image: "text-to-image",
  rerank: "text-to-ranking",
};

export type CatalogOptions = {
  /** Whether the models that run inside belong to it; default true. */
  readonly local?: boolean;
};

export function createCatalog(
  configured: Readonly<Record<string, ModelConfig>>,
  { local = true }: CatalogOptions = {},
): Catalog {
  const builtIn = local ? [...wellKnownModels, ...localModels] : wellKnownModels;
  const models = new Map(builtIn.map((model) => [model.id, model]));
  for (const [id, config] of Object.entries(configured)) {
    models.set(id, layOver(id, models.get(id), config));
  }
  const all = [...models.values()];
  const available = all.filter((model) => model.engines.length > 0);
  return {
    find: (id) => models.get(id),
    all: () => all,
    available: () => available,
    listing: () =>
      available.map(({ id, kind, regions }) => ({
        model_id: id,
        type: [LISTED_TYPE[kind]],
        regions,
      })),
  };
}

function layOver(id: string, known: Model | undefined, config: ModelConfig): Model {
  const kind = config.kind ?? known?.kind ?? "chat";
  const tier = config.tier ?? known?.tier ?? tierInName(id, kind);
  const maxOutputTokens =
    config.max_output ?? known?.maxOutputTokens ?? OUTPUT_MAXIMUM[tier ?? "mid"];
  const base = completeModel(id, { ...known, kind, tier, maxOutputTokens });
  const { requests = base.limits.requests, tokens = base.limits.tokens } = config.limits ?? {};
  return {
    ...base,
    generation: config.generation ?? base.generation,
    thinking: readThinking(config.thinking, base),
    vision: config.vision ?? base.vision,
    context: config.context ?? base.context,
    limits: { requests, tokens },
    cacheMinTokens: config.cache?.min_tokens ?? base.cacheMinTokens,
    regions: config.regions ?? base.regions,
    engines: config.engine === undefined ? (known?.engines ?? []) : [config.engine].flat(),
  };
}

/** Chat ids carry their tier as a word: `my-haiku` is small, `my-sonnet` is mid. */
function tierInName(id: string, kind: ModelKind): Model["tier"] {
  if (kind !== "chat") return null;
  const words = id.toLowerCase().split(/[^a-z]+/);
  if (words.includes("haiku")) return "small";
  return words.includes("sonnet") ? "mid" : null;
}

function readThinking(config: ModelConfig["thinking"], base: Model): Model["thinking"] {
  if (config === undefined) return base.thinking;
  if (config === false) return null;
  return thinkingUpTo(config === true ? base.maxOutputTokens : config.max_budget_tokens);
}
