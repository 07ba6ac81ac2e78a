import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { basename } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { openJournal } from "./journal.ts";
import { createJournaledLedger } from "./journaled-ledger.ts";
import { ledgerEntry, manualSchedule, temporaryDirectory } from "./store-fixtures.ts";

/** A ledger over a database that notes which segments it was given. */
function ledgerOf(t: TestContext, { directory = temporaryDirectory(t), segmentBytes = 4096 } = {}) {
  const clock = manualSchedule();
  const problems: string[] = [];
  const absorbed: string[][] = [];
  const database = { away: false };
  const ledger = createJournaledLedger({
    openJournal: (onSegmentFull) =>
      openJournal({
        directory,
        limitBytes: 1024 ** 2,
        segmentBytes,
        onSegmentFull,
        onProblem: assert.fail,
      }),
    database: {
      async absorb(segments) {
        if (database.away) throw new Error("away");
        for (const path of segments) rmSync(path);
        absorbed.push(segments.map((path) => basename(path, ".journal").replace(/^0+/, "")));
        return [];
      },
      totals: () => assert.fail(),
      entries: () => assert.fail(),
    },
    flushMs: 250,
    schedule: clock.schedule,
    onProblem: (problem) => problems.push(problem.message),
  });
  t.after(() => ledger.close());
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const tick = async () => {
    clock.runNext();
    await settled();
  };
  return { directory, clock, problems, absorbed, database, ledger, settled, tick };
}

describe("the journaled ledger", () => {
  it("moves entries into the database within the flush time, and then rests", async (t) => {
    const { ledger, clock, absorbed, tick } = ledgerOf(t);
    assert.deepEqual(clock.delays(), []);
    ledger.record(ledgerEntry("one"));
    ledger.record(ledgerEntry("two"));
    assert.deepEqual(clock.delays(), [250]);
    await tick();
    assert.deepEqual(absorbed, [["1"]]);
    await tick();
    assert.deepEqual(clock.delays(), []);
    ledger.record(ledgerEntry("three"));
    assert.deepEqual(clock.delays(), [250]);
  });

  it("does not wait for the clock when a segment is full", async (t) => {
    const { ledger, absorbed, settled } = ledgerOf(t, { segmentBytes: 1 });
    ledger.record(ledgerEntry("one"));
    await settled();
    assert.deepEqual(absorbed, [["1"]]);
  });

  it("moves what a former process left without waiting for a request", async (t) => {
    const former = ledgerOf(t);
    former.database.away = true;
    former.ledger.record(ledgerEntry("one"));
    await former.ledger.close();
    assert.match(former.problems.join(), /until the next start/);
    const { absorbed, settled } = ledgerOf(t, { directory: former.directory });
    await settled();
    assert.deepEqual(absorbed, [["1"]]);
  });

  it("keeps taking entries while the database is away, reports it once, and catches up", async (t) => {
    const { ledger, database, problems, absorbed, tick } = ledgerOf(t);
    database.away = true;
    for (let round = 0; round < 100; round += 1) {
      ledger.record(ledgerEntry(`entry-${round}`));
      await tick();
    }
    assert.equal(problems.length, 1);
    assert.deepEqual(absorbed, []);
    database.away = false;
    for (let round = 0; round < 64 && absorbed.length === 0; round += 1) await tick();
    const moved = absorbed.flat();
    assert.ok(moved.length < 20, "an outage of 100 ticks makes few segments");
    await ledger.flush();
    await tick();
    assert.equal(problems.length, 1);
  });

  it("rejects a flush that the database did not take", async (t) => {
    const { ledger, database, absorbed } = ledgerOf(t);
    database.away = true;
    ledger.record(ledgerEntry("one"));
    await assert.rejects(ledger.flush(), /away/);
    database.away = false;
    await ledger.flush();
    assert.deepEqual(absorbed, [["1"]]);
  });

  it("gives a long journal to the database in several pieces", async (t) => {
    const former = ledgerOf(t, { segmentBytes: 1 });
    former.database.away = true;
    for (let index = 0; index < 40; index += 1) former.ledger.record(ledgerEntry(`${index}`));
    former.database.away = false;
    await former.ledger.flush();
    assert.deepEqual(
      former.absorbed.map((segments) => segments.length),
      [16, 16, 8],
    );
  });
});
