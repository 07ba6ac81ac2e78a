// What an operator can do, whichever way it is reached: the command line calls this directly
// when no server runs, and through the admin door when one does.

import type { Catalog, ModelKind } from "../catalog/index.ts";
import {
  type ConfigVariables,
  type CreateRequest,
  configVariables,
  type Provisioned,
  type Provisioning,
  type Resource,
} from "../gate/index.ts";
import type { Ledger, UsageFilter, UsageTotals } from "../store/index.ts";

export type CreatedResource = {
  readonly resource: string;
  readonly model: string | null;
  readonly plan: string;
  readonly alias: string;
  readonly config: ConfigVariables;
};

export type ListedModel = {
  readonly id: string;
  readonly kind: ModelKind;
  readonly tier: string | null;
  readonly thinking: boolean;
  readonly vision: boolean;
  readonly context: number;
  readonly max_output: number;
  readonly limits: { readonly requests: number | null; readonly tokens: number | null };
  /** Engine types; empty when nothing here runs the model. */
  readonly engines: readonly string[];
};

export interface Admin {
  create(request: CreateRequest): Promise<CreatedResource>;
  rotate(nameOrAlias: string): Promise<CreatedResource>;
  destroy(nameOrAlias: string): Promise<Resource>;
  resources(): Promise<readonly Resource[]>;
  info(nameOrAlias: string): Promise<Resource>;
  env(): Promise<ConfigVariables>;
  models(): Promise<readonly ListedModel[]>;
  usage(filter?: UsageFilter): Promise<UsageTotals>;
}

export type AdminOptions = {
  readonly provisioning: Provisioning;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  /** The address that callers use. */
  readonly baseUrl: () => string;
};

export function createAdmin({ provisioning, catalog, ledger, baseUrl }: AdminOptions): Admin {
  const show = ({ resource, key }: Provisioned): CreatedResource => ({
    resource: resource.name,
    model: resource.model,
    plan: resource.plan,
    alias: resource.aliases[0] ?? "",
    config: configVariables(resource, baseUrl(), key),
  });
  return {
    create: async (request) => show(await provisioning.create(request)),
    rotate: async (nameOrAlias) => show(await provisioning.rotate(nameOrAlias)),
    destroy: (nameOrAlias) => provisioning.destroy(nameOrAlias),
    resources: async () => provisioning.list(),
    info: async (nameOrAlias) => provisioning.info(nameOrAlias),
    env: async () => provisioning.env(baseUrl()),
    usage: (filter) => ledger.totals(filter),
    models: async () =>
      catalog.all().map((model) => ({
        id: model.id,
        kind: model.kind,
        tier: model.tier,
        thinking: model.thinking !== null,
        vision: model.vision,
        context: model.context,
        max_output: model.maxOutputTokens,
        limits: model.limits,
        engines: model.engines.map((engine) => engine.type),
      })),
  };
}
