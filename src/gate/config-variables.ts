// An attachment as its developer sees it: the variables under which a program finds the
// service, its key and its model.

import type { Resource } from "./resource.ts";

export type ConfigVariables = Readonly<Record<string, string>>;

/** Without `key` (it was shown once, and not kept) the KEY variables are left out. */
export function configVariables(
  resource: Pick<Resource, "aliases" | "model">,
  baseUrl: string,
  key?: string,
): ConfigVariables {
  const url = new URL(baseUrl).origin;
  const variables: Record<string, string> = {};
  for (const alias of resource.aliases) {
    variables[`${alias}_URL`] = url;
    if (key !== undefined) variables[`${alias}_KEY`] = key;
    if (resource.model !== null) variables[`${alias}_MODEL_ID`] = resource.model;
  }
  return variables;
}
