// Which models a key reaches. An unknown model and one that belongs to other keys get the
// same answer: the catalog of others cannot be felt out.

import { ServiceError } from "../call/index.ts";
import type { Catalog, Model } from "../catalog/index.ts";
import type { Resource } from "./resource.ts";

/** The model of that id; throws a 403 when the resource's key does not reach it. */
export function reachModel(
  resource: Pick<Resource, "plan" | "model">,
  modelId: string,
  catalog: Pick<Catalog, "find">,
): Model {
  const model = catalog.find(modelId);
  if (model !== undefined) {
    // On the plan standard, a model that nothing here runs is none of the service's.
    const served = resource.plan === "standard" && model.engines.length > 0;
    if (served || resource.model === modelId) return model;
  }
  throw new ServiceError({
    status: 403,
    type: "authorization_error",
    message: "You do not have access to that model",
  });
}
