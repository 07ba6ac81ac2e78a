import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { MIGRATIONS, migrate, schemaVersion } from "./migrations.ts";
import { StoreTooNew } from "./store-errors.ts";

const tables = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);

describe("migrations", () => {
  it("bring an empty database to the version of this program", () => {
    const database = new DatabaseSync(":memory:");
    migrate(database);
    assert.equal(schemaVersion(database), MIGRATIONS.length);
    assert.deepEqual(tables(database), ["aliases", "facts", "keys", "ledger", "resources"]);
  });

  it("apply only the scripts that are missing", () => {
    const database = new DatabaseSync(":memory:");
    migrate(database, ["CREATE TABLE one (x)"]);
    migrate(database, ["CREATE TABLE one (x)", "CREATE TABLE two (x)"]);
    assert.deepEqual(tables(database), ["one", "two"]);
    assert.equal(schemaVersion(database), 2);
  });

  it("leave the version before a script that fails, and nothing of that script", () => {
    const database = new DatabaseSync(":memory:");
    const failing = "CREATE TABLE two (x); CREATE TABLE one (x)";
    assert.throws(() => migrate(database, ["CREATE TABLE one (x)", failing]), /already exists/);
    assert.deepEqual(tables(database), ["one"]);
    assert.equal(schemaVersion(database), 1);
  });

  it("refuse a database that a newer program wrote, and leave it alone", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    assert.throws(() => migrate(database), StoreTooNew);
    assert.deepEqual(tables(database), []);
  });
});
