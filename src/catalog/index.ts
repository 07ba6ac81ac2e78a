export { type Catalog, createCatalog, type ModelListing } from "./catalog.ts";
export type { Limits, Model, ModelKind, ModelTier } from "./model.ts";
