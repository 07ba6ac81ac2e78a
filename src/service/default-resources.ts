// The first start provisions the default models, so that two commands lead to an answer. Once
// only: what the operator destroys stays destroyed; and not where the operator has models of
// that kind, for then the operator knows what should be provisioned.

import { type Catalog, defaultModels, type ModelKind } from "../catalog/index.ts";
import type { Config } from "../config/index.ts";
import type { Store } from "../store/index.ts";
import type { Admin, CreatedResource } from "./admin.ts";

export type DefaultResourceOptions = {
  readonly store: Pick<Store, "fact" | "setFact">;
  readonly admin: Pick<Admin, "create" | "resources">;
  readonly catalog: Catalog;
  readonly config: Pick<Config, "models">;
};

const DEFAULT_IDS = new Set(defaultModels.map(({ id }) => id));

export async function createDefaultResources(
  options: DefaultResourceOptions,
): Promise<readonly CreatedResource[]> {
  const { store, admin, catalog, config } = options;
  const created: CreatedResource[] = [];
  for (const { kind, id } of defaultModels) {
    const fact = `default-resource-${kind}`;
    if ((await store.fact(fact)) !== undefined) continue;
    const model = catalog.find(id);
    if (model === undefined || model.engines.length === 0) continue;
    if (hasOwnModels(kind, catalog, config)) continue;
    const isProvisioned = (await admin.resources()).some(
      (resource) => resource.model === null || catalog.find(resource.model)?.kind === kind,
    );
    if (!isProvisioned) created.push(await admin.create({ model: id }));
    await store.setFact(fact, isProvisioned ? "not needed" : "created");
  }
  return created;
}

const hasOwnModels = (
  kind: ModelKind,
  catalog: Catalog,
  { models }: Pick<Config, "models">,
): boolean =>
  Object.keys(models).some((id) => {
    const model = catalog.find(id);
    return model?.kind === kind && model.engines.length > 0 && !DEFAULT_IDS.has(id);
  });
