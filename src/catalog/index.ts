export type { Limits, Model, ModelKind, ModelTier } from "./model.ts";
