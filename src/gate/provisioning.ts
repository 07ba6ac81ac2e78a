// Resources come and go here. A change is durable in the store before memory follows, and
// one change runs at a time, so what the key ring accepts is always what the store holds.

import { invalidRequest, notFound, ServiceError } from "../call/index.ts";
import type { Catalog, Model, ModelKind } from "../catalog/index.ts";
import { type Plan, type ResourceRecord, type Store, StoreConflict } from "../store/index.ts";
import { type ConfigVariables, configVariables } from "./config-variables.ts";
import type { KeyRing } from "./key-ring.ts";
import { hashKey, newKey } from "./keys.ts";
import type { Randomness } from "./randomness.ts";
import { type Resource, toResource } from "./resource.ts";
import { defaultAlias, isAlias, newName } from "./resource-names.ts";
import type { Wallet } from "./wallet.ts";

export type ProvisioningOptions = {
  readonly store: Store;
  readonly keyRing: KeyRing;
  readonly models: Pick<Catalog, "find" | "available">;
  readonly wallet: Wallet;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Randomness;
};

export type CreateRequest = {
  /** On the plan `standard` the key reaches every model, and none need be named. */
  readonly model?: string;
  readonly alias?: string;
  readonly plan?: Plan;
};

/** The key is told here and never again. */
export type Provisioned = { readonly resource: Resource; readonly key: string };

export interface Provisioning {
  create(request: CreateRequest): Promise<Provisioned>;
  rotate(nameOrAlias: string): Promise<Provisioned>;
  destroy(nameOrAlias: string): Promise<Resource>;
  /** Oldest first. */
  list(): readonly Resource[];
  info(nameOrAlias: string): Resource;
  /** The config variables of every attachment. */
  env(baseUrl: string): ConfigVariables;
  /** Brings memory in line with the store. May be repeated: others may write there too. */
  load(): Promise<void>;
}

const CREATE_ATTEMPTS = 3;

export function createProvisioning(options: ProvisioningOptions): Provisioning {
  const { store, keyRing, models, wallet, clock, random } = options;
  const records = new Map<string, ResourceRecord>();
  let mirrorsStore = false;
  let lastTurn: Promise<unknown> = Promise.resolve();

  const load = async (): Promise<void> => {
    try {
      const stored = await store.resources();
      records.clear();
      for (const record of stored) records.set(record.id, record);
      keyRing.replaceAll(stored);
      mirrorsStore = true;
    } catch (error) {
      mirrorsStore = false;
      keyRing.markIncomplete();
      throw error;
    }
    await tidy(() => wallet.settle(records.values()));
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  };

  const change = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (!mirrorsStore) await load();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreConflict)) throw error;
        throw conflict("Another process changed the resources at the same moment: try again.");
      }
    });

  const commit = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      // A write that failed may have landed all the same: only the store can say. Where it
      // cannot, the next change asks again, and the first failure is the one to report.
      await load().catch(() => undefined);
      throw error;
    }
  };

  const holder = (nameOrAlias: string): ResourceRecord | undefined => {
    for (const record of records.values()) {
      if (record.name === nameOrAlias || record.aliases.includes(nameOrAlias)) return record;
    }
    return undefined;
  };

  const find = (nameOrAlias: string): ResourceRecord => {
    const record = holder(nameOrAlias);
    if (record !== undefined) return record;
    throw notFound(
      `There is no resource "${nameOrAlias}", by name or by alias. See \`hearth models list\`.`,
    );
  };

  const isTaken = (nameOrAlias: string): boolean => holder(nameOrAlias) !== undefined;

  const aliasFor = (asked: string | undefined, kind: ModelKind): string => {
    if (asked === undefined) return defaultAlias(kind, isTaken);
    if (!isAlias(asked)) {
      throw invalidRequest(
        `The alias "${asked}" cannot begin the name of a variable: use up to 63 capital letters, digits and underscores, a letter first.`,
      );
    }
    const taken = holder(asked);
    if (taken !== undefined) {
      throw conflict(
        `The alias ${asked} is taken by ${taken.name}: choose another one, or destroy that resource first.`,
      );
    }
    return asked;
  };

  const createOnce = async (request: CreateRequest): Promise<Provisioned> => {
    const { plan = "model" } = request;
    const model = request.model === undefined ? undefined : runnable(models, request.model);
    if (model === undefined && plan === "model") {
      throw invalidRequest("Say which model, or take the plan standard, which reaches them all.");
    }
    const kind = plan === "standard" ? "chat" : (model?.kind ?? "chat");
    const alias = aliasFor(request.alias, kind);
    const key = newKey(random.uuid());
    const now = clock();
    const record: ResourceRecord = {
      id: random.uuid(),
      name: newName(kind, random, isTaken),
      model: plan === "standard" ? null : (model?.id ?? null),
      plan,
      createdAt: now,
      keyHash: hashKey(key),
      keyCreatedAt: now,
      aliases: [alias],
    };
    await wallet.propose(record.id, key);
    try {
      await commit(() => store.createResource(record));
    } catch (error) {
      if (mirrorsStore && !records.has(record.id)) await tidy(() => wallet.forget(record.id));
      throw error;
    }
    records.set(record.id, record);
    keyRing.put(record);
    return { resource: toResource(record), key };
  };

  return {
    create: (request) =>
      change(async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await createOnce(request);
          } catch (error) {
            // Another process took the name or the alias: memory knows by now, so a further
            // attempt takes others, or says that the alias asked for is gone.
            if (!(error instanceof StoreConflict) || attempt === CREATE_ATTEMPTS) throw error;
          }
        }
      }),

    rotate: (nameOrAlias) =>
      change(async () => {
        const record = find(nameOrAlias);
        const key = newKey(random.uuid());
        const next = { ...record, keyHash: hashKey(key), keyCreatedAt: clock() };
        await wallet.propose(record.id, key);
        await commit(() => store.replaceKey(record.id, next.keyHash, next.keyCreatedAt));
        records.set(record.id, next);
        keyRing.remove(record.keyHash);
        keyRing.put(next);
        await tidy(() => wallet.settle([next]));
        return { resource: toResource(next), key };
      }),

    destroy: (nameOrAlias) =>
      change(async () => {
        const record = find(nameOrAlias);
        await commit(() => store.destroyResource(record.id, clock()));
        records.delete(record.id);
        keyRing.remove(record.keyHash);
        await tidy(() => wallet.forget(record.id));
        return toResource(record);
      }),

    list: () => byAge(records.values()).map(toResource),
    info: (nameOrAlias) => toResource(find(nameOrAlias)),
    env(baseUrl) {
      const variables: Record<string, string> = {};
      for (const record of byAge(records.values())) {
        Object.assign(variables, configVariables(record, baseUrl, wallet.key(record)));
      }
      return variables;
    },
    load: () => inTurn(load),
  };
}

const byAge = (records: Iterable<ResourceRecord>): ResourceRecord[] =>
  [...records].sort((a, b) => a.createdAt - b.createdAt);

const conflict = (message: string): ServiceError =>
  new ServiceError({ status: 409, type: "invalid_request_error", message });

/**
 * The change is done by then, and what stays in the wallet is a key that opens nothing: it
 * goes with the next load, and is no reason to call the change failed.
 */
const tidy = (work: () => Promise<void>): Promise<void> => work().catch(() => undefined);

function runnable(models: ProvisioningOptions["models"], id: string): Model {
  const model = models.find(id);
  if (model === undefined) {
    const available = models.available().map((one) => one.id);
    throw notFound(
      available.length > 0
        ? `There is no model "${id}". Available: ${available.join(", ")}.`
        : `There is no model "${id}". Add it to \`models\` in hearth.json, with an \`engine\`.`,
    );
  }
  if (model.engines.length === 0) {
    throw invalidRequest(
      `Nothing here runs ${id} yet: add an \`engine\` for it in hearth.json, under \`models\`.`,
    );
  }
  return model;
}
