import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it, type TestContext } from "node:test";
import { absorbSegments } from "./absorb-segments.ts";
import { encodeLine } from "./journal-line.ts";
import { createLedgerTable } from "./ledger-table.ts";
import { migrate } from "./migrations.ts";
import { ledgerEntry, temporaryDirectory } from "./store-fixtures.ts";

function ledgerOf(t: TestContext) {
  const directory = temporaryDirectory(t);
  const database = new DatabaseSync(":memory:");
  migrate(database);
  const ledger = createLedgerTable(database);
  return {
    directory,
    database,
    absorb: (...paths: string[]) => absorbSegments(database, ledger, paths),
    ids: () => ledger.entries({}).map(({ id }) => id),
    segment(name: string, content: string) {
      const path = join(directory, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

const line = (id: string, at: number) => encodeLine(ledgerEntry(id, { at }));

describe("absorbing segments", () => {
  it("moves every entry into the ledger and removes the files", (t) => {
    const { directory, absorb, ids, segment } = ledgerOf(t);
    const first = segment("1.journal", line("one", 1) + line("two", 2));
    const second = segment("2.journal", line("three", 3));
    assert.deepEqual(absorb(first, second), []);
    assert.deepEqual(ids(), ["three", "two", "one"]);
    assert.deepEqual(readdirSync(directory), []);
  });

  it("makes no duplicates when the process died between commit and removal", (t) => {
    const { absorb, ids, segment } = ledgerOf(t);
    const content = line("one", 1) + line("two", 2);
    absorb(segment("1.journal", content));
    assert.deepEqual(absorb(segment("1.journal", content + line("three", 3))), []);
    assert.deepEqual(ids(), ["three", "two", "one"]);
  });

  it("passes over a segment that was absorbed before", (t) => {
    const { absorb, ids, segment } = ledgerOf(t);
    const path = segment("1.journal", line("one", 1));
    absorb(path);
    assert.deepEqual(absorb(path), []);
    assert.deepEqual(ids(), ["one"]);
  });

  it("skips a torn last line and says so", (t) => {
    const { absorb, ids, segment } = ledgerOf(t);
    const torn = line("torn", 2);
    for (const cut of [1, 20, torn.length - 1]) {
      const path = segment("1.journal", line("whole", 1) + torn.slice(0, cut));
      const problems = absorb(path);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? "", /1\.journal ends in half an entry/);
      assert.ok(!existsSync(path));
    }
    assert.deepEqual(ids(), ["whole"]);
  });

  it("sets a damaged segment aside, with everything readable in the ledger", (t) => {
    const { absorb, ids, segment } = ledgerOf(t);
    const content = line("one", 1) + line("two", 2).replace("two", "tow") + line("three", 3);
    const path = segment("1.journal", content);
    assert.match(absorb(path)[0] ?? "", /1 unreadable/);
    assert.deepEqual(ids(), ["three", "one"]);
    assert.equal(readFileSync(`${path}.damaged`, "latin1"), content);
    assert.ok(!existsSync(path));
  });

  it("keeps the files when the database does not take them", (t) => {
    const { database, absorb, ids, segment } = ledgerOf(t);
    const first = segment("1.journal", line("one", 1));
    const second = segment("2.journal", line("two", 2));
    database.exec(`CREATE TRIGGER away BEFORE INSERT ON ledger WHEN NEW.id = 'two'
      BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
    assert.throws(() => absorb(first, second), /disk I\/O error/);
    assert.deepEqual(ids(), []);
    assert.ok(existsSync(first) && existsSync(second));
    database.exec("DROP TRIGGER away");
    absorb(first, second);
    assert.deepEqual(ids(), ["two", "one"]);
  });
});
