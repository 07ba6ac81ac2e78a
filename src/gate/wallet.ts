// The developer's own copy of the keys, in a private file of the data directory, so that
// `hearth env` can print them; the service itself knows only hashes. A key goes in before
// the store commits to its hash, beside the one it replaces: whenever the process dies, the
// key that the store knows is in the file, and its hash says which one that is.

import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ResourceRecord } from "../store/index.ts";
import { hashKey, isKey } from "./keys.ts";

export type KeyOwner = Pick<ResourceRecord, "id" | "keyHash">;

/** Its only writer is provisioning, which does one change at a time. */
export interface Wallet {
  /** Adds a candidate. Durable when it resolves, and not kept when it rejects. */
  propose(resourceId: string, key: string): Promise<void>;
  /** Drops the candidates beside the key that the store committed to. */
  settle(owners: Iterable<KeyOwner>): Promise<void>;
  forget(resourceId: string): Promise<void>;
  /** The key with that hash, where it was kept. */
  key(owner: KeyOwner): string | undefined;
}

export type WalletOptions = {
  readonly directory: string;
  /** `store.keep_config_variables`. Off: there is no file, and one from before is removed. */
  readonly keep: boolean;
};

type Candidates = Readonly<Record<string, readonly string[]>>;

export const WALLET_FILE = "config-variables.json";

export async function openWallet({ directory, keep }: WalletOptions): Promise<Wallet> {
  const path = join(directory, WALLET_FILE);
  if (!keep) {
    await rm(path, { force: true });
    await rm(temporary(path), { force: true });
    return emptyWallet;
  }
  let kept: Map<string, readonly string[]> = await read(path);

  const change = async (changes: Iterable<[string, readonly string[]]>): Promise<void> => {
    const next = new Map(kept);
    for (const [resourceId, keys] of changes) {
      if (keys.length > 0) next.set(resourceId, keys);
      else next.delete(resourceId);
    }
    await replaceFile(path, `${JSON.stringify({ keys: Object.fromEntries(next) }, null, 2)}\n`);
    kept = next;
  };

  const keyOf = ({ id, keyHash }: KeyOwner): string | undefined =>
    kept.get(id)?.find((key) => hashKey(key) === keyHash);

  return {
    async propose(resourceId, key) {
      await change([[resourceId, [...(kept.get(resourceId) ?? []), key]]]);
    },
    async settle(owners) {
      const changes: [string, readonly string[]][] = [];
      for (const owner of owners) {
        const key = keyOf(owner);
        const surplus = (kept.get(owner.id)?.length ?? 0) > 1;
        if (surplus && key !== undefined) changes.push([owner.id, [key]]);
      }
      if (changes.length > 0) await change(changes);
    },
    async forget(resourceId) {
      if (kept.has(resourceId)) await change([[resourceId, []]]);
    },
    key: keyOf,
  };
}

const emptyWallet: Wallet = {
  propose: () => Promise.resolve(),
  settle: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  key: () => undefined,
};

async function read(path: string): Promise<Map<string, readonly string[]>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  const candidates = parse(text);
  if (candidates === undefined) {
    throw new Error(
      `${path} is not as Hearth wrote it. Move it away and start again: the keys in it go on ` +
        "working, and `hearth keys rotate RESOURCE` makes one that `hearth env` can print.",
    );
  }
  return new Map(Object.entries(candidates));
}

/** Undefined, not an error: the parser's own message would quote keys out of the file. */
function parse(text: string): Candidates | undefined {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(file) || !isRecord(file.keys)) return undefined;
  const candidates: Record<string, readonly string[]> = {};
  for (const [resourceId, keys] of Object.entries(file.keys)) {
    if (!Array.isArray(keys)) return undefined;
    const strings = keys.filter((key) => typeof key === "string" && isKey(key));
    if (strings.length !== keys.length) return undefined;
    candidates[resourceId] = strings;
  }
  return candidates;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const temporary = (path: string): string => `${path}.tmp`;

/** All or nothing, against power loss too. */
async function replaceFile(path: string, text: string): Promise<void> {
  // Left over from a crash, it might have been made readable since: never written into.
  await rm(temporary(path), { force: true });
  const file = await open(temporary(path), "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary(path), path);
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
