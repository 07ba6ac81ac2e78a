// Resources with their current key and aliases. What is taken is asked for by name before
// anything is written, so that a conflict says what to change; the unique indexes stand
// behind it.

import type { DatabaseSync } from "node:sqlite";
import { number, oneOf, text, textOrNull } from "./parse-field.ts";
import { type ResourceRecord, StoreConflict } from "./store.ts";
import { inTransaction } from "./transaction.ts";

export interface ResourceTable {
  resources(): readonly ResourceRecord[];
  createResource(record: ResourceRecord): void;
  replaceKey(resourceId: string, keyHash: string, at: number): void;
  destroyResource(resourceId: string, at: number): void;
}

const PLANS = ["model", "standard"] as const;

export function createResourceTable(database: DatabaseSync): ResourceTable {
  const selectResources = database.prepare(`
    SELECT r.id, r.name, r.model, r.plan, r.created_at, k.hash, k.created_at AS key_created_at
    FROM resources r JOIN keys k ON k.resource_id = r.id AND k.revoked_at IS NULL
    WHERE r.destroyed_at IS NULL
    ORDER BY r.created_at, r.rowid`);
  const selectAliases = database.prepare(
    "SELECT alias, resource_id FROM aliases ORDER BY resource_id, position",
  );
  const findId = database.prepare("SELECT 1 FROM resources WHERE id = ?");
  const findLiving = database.prepare(
    "SELECT 1 FROM resources WHERE id = ? AND destroyed_at IS NULL",
  );
  const findName = database.prepare(
    "SELECT 1 FROM resources WHERE name = ? AND destroyed_at IS NULL",
  );
  const findAlias = database.prepare("SELECT 1 FROM aliases WHERE alias = ?");
  const findKey = database.prepare("SELECT 1 FROM keys WHERE hash = ?");
  const insertResource = database.prepare(
    "INSERT INTO resources (id, name, model, plan, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const insertKey = database.prepare(
    "INSERT INTO keys (hash, resource_id, created_at) VALUES (?, ?, ?)",
  );
  const insertAlias = database.prepare(
    "INSERT INTO aliases (alias, resource_id, position) VALUES (?, ?, ?)",
  );
  const revokeKey = database.prepare(
    "UPDATE keys SET revoked_at = ? WHERE resource_id = ? AND revoked_at IS NULL",
  );
  const markDestroyed = database.prepare("UPDATE resources SET destroyed_at = ? WHERE id = ?");
  const deleteAliases = database.prepare("DELETE FROM aliases WHERE resource_id = ?");

  function addKey(resourceId: string, keyHash: string, at: number) {
    // Revoked hashes count: a key that was taken back must never open a door again.
    if (findKey.get(keyHash)) throw new StoreConflict("the key is taken");
    insertKey.run(keyHash, resourceId, at);
  }

  function requireLiving(resourceId: string) {
    if (!findLiving.get(resourceId)) throw new StoreConflict(`there is no resource ${resourceId}`);
  }

  return {
    resources() {
      const aliases = Map.groupBy(selectAliases.all(), (row) => text(row.resource_id));
      return selectResources.all().map((row) => ({
        id: text(row.id),
        name: text(row.name),
        model: textOrNull(row.model),
        plan: oneOf(PLANS, row.plan),
        createdAt: number(row.created_at),
        keyHash: text(row.hash),
        keyCreatedAt: number(row.key_created_at),
        aliases: (aliases.get(text(row.id)) ?? []).map((alias) => text(alias.alias)),
      }));
    },

    createResource(record) {
      inTransaction(database, () => {
        if (findId.get(record.id)) throw new StoreConflict(`the id ${record.id} is taken`);
        if (findName.get(record.name)) throw new StoreConflict(`the name ${record.name} is taken`);
        insertResource.run(record.id, record.name, record.model, record.plan, record.createdAt);
        addKey(record.id, record.keyHash, record.keyCreatedAt);
        for (const [position, alias] of record.aliases.entries()) {
          if (findAlias.get(alias)) throw new StoreConflict(`the alias ${alias} is taken`);
          insertAlias.run(alias, record.id, position);
        }
      });
    },

    replaceKey(resourceId, keyHash, at) {
      inTransaction(database, () => {
        requireLiving(resourceId);
        revokeKey.run(at, resourceId);
        addKey(resourceId, keyHash, at);
      });
    },

    destroyResource(resourceId, at) {
      inTransaction(database, () => {
        requireLiving(resourceId);
        markDestroyed.run(at, resourceId);
        revokeKey.run(at, resourceId);
        deleteAliases.run(resourceId);
      });
    },
  };
}
