export { type Catalog, type CatalogOptions, createCatalog, type ModelListing } from "./catalog.ts";
export { defaultModels } from "./local-models.ts";
export type { Limits, Model, ModelKind, ModelTier } from "./model.ts";
