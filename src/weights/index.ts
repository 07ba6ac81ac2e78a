export {
  createWeightsStore,
  type LocalWeightsStore,
  type WeightsFile,
  type WeightsStoreOptions,
} from "./create-weights-store.ts";
export { parseSource, type WeightsSource } from "./parse-source.ts";
export { weightsDirectory } from "./place.ts";
export { defaultPatience, type Patience } from "./settings.ts";
export type { PullOptions, PullProgress, WeightsReference, WeightsStore } from "./weights.ts";
