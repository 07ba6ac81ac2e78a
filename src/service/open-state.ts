// What the service remembers, opened: the store, the keys in memory, and provisioning over
// both. The server uses it, and so does the command line when no server runs.

import { resolve } from "node:path";
import { type Catalog, createCatalog } from "../catalog/index.ts";
import { type Config, parseDuration, parseSize } from "../config/index.ts";
import {
  createKeyRing,
  createProvisioning,
  type KeyRing,
  openWallet,
  type Provisioning,
  secureRandomness,
} from "../gate/index.ts";
import { createSqliteStore, type Store } from "../store/index.ts";

export type State = {
  readonly catalog: Catalog;
  readonly store: Store;
  readonly keyRing: KeyRing;
  readonly provisioning: Provisioning;
};

export type StateOptions = {
  readonly config: Config;
  readonly dataDirectory: string;
  readonly onProblem: (problem: Error) => void;
};

export async function openState(options: StateOptions): Promise<State> {
  const { config, dataDirectory, onProblem } = options;
  const catalog = createCatalog(config.models, { local: config.local.models });
  const store = await createSqliteStore({
    directory: storeDirectory(config, dataDirectory),
    flushMs: parseDuration(config.store.ledger_flush),
    journalLimitBytes: parseSize(config.store.ledger_journal_limit),
    onProblem,
  });
  try {
    const keyRing = createKeyRing();
    const wallet = await openWallet({
      directory: dataDirectory,
      keep: config.store.keep_config_variables,
    });
    const provisioning = createProvisioning({
      store,
      keyRing,
      models: catalog,
      wallet,
      clock: Date.now,
      random: secureRandomness,
    });
    await provisioning.load();
    return { catalog, store, keyRing, provisioning };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function storeDirectory(config: Config, dataDirectory: string): string {
  const folder = config.store.url.slice("file:".length);
  return folder === "" ? dataDirectory : resolve(folder);
}
