import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type JournalOptions, openJournal } from "./journal.ts";
import { encodeLine } from "./journal-line.ts";
import { JournalRefused } from "./store-errors.ts";
import { ledgerEntry, temporaryDirectory } from "./store-fixtures.ts";

const LINE_BYTES = encodeLine(ledgerEntry("00")).length;

function journalIn(t: TestContext, directory: string, options: Partial<JournalOptions> = {}) {
  const journal = openJournal({
    directory,
    limitBytes: 1024 ** 2,
    onProblem: (problem) => assert.fail(problem),
    ...options,
  });
  t.after(() => journal.close());
  return journal;
}

describe("the journal", () => {
  it("has an entry in its file, readable by its owner alone, when append returns", (t) => {
    const directory = temporaryDirectory(t);
    journalIn(t, directory).append([ledgerEntry("one")]);
    const path = join(directory, "000000000001.journal");
    assert.equal(readFileSync(path, "latin1"), encodeLine(ledgerEntry("one")));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it("starts a new segment after each seal, and none without entries", (t) => {
    const directory = temporaryDirectory(t);
    const journal = journalIn(t, directory);
    assert.deepEqual(journal.seal(), []);
    journal.append([ledgerEntry("one")]);
    const [first] = journal.seal();
    assert.deepEqual(journal.seal(), [first]);
    journal.append([ledgerEntry("two")]);
    assert.deepEqual(readdirSync(directory), ["000000000001.journal", "000000000002.journal"]);
    assert.equal(journal.seal().length, 2);
  });

  it("seals a segment that has reached its size, and says so", (t) => {
    let full = 0;
    const journal = journalIn(t, temporaryDirectory(t), {
      segmentBytes: 1.5 * LINE_BYTES,
      onSegmentFull: () => {
        full += 1;
      },
    });
    for (const id of ["00", "01", "02", "03", "04"]) journal.append([ledgerEntry(id)]);
    assert.equal(full, 2);
    assert.equal(journal.seal().length, 3);
  });

  it("refuses entries past its bound, and takes them again once segments are forgotten", (t) => {
    const journal = journalIn(t, temporaryDirectory(t), { limitBytes: 2.5 * LINE_BYTES });
    journal.append([ledgerEntry("00")]);
    journal.append([ledgerEntry("01")]);
    assert.throws(() => journal.append([ledgerEntry("02")]), JournalRefused);
    journal.forget(journal.seal());
    assert.ok(journal.isEmpty());
    journal.append([ledgerEntry("02")]);
  });

  it("takes over the segments of a process that died, and counts them against the bound", (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, "000000000007.journal"), encodeLine(ledgerEntry("00")));
    writeFileSync(join(directory, "000000000009.journal.damaged"), "?");
    const journal = journalIn(t, directory, { limitBytes: 2.5 * LINE_BYTES });
    journal.append([ledgerEntry("01")]);
    assert.throws(() => journal.append([ledgerEntry("02")]), JournalRefused);
    assert.deepEqual(journal.seal(), [
      join(directory, "000000000007.journal"),
      join(directory, "000000000010.journal"),
    ]);
  });

  it("lets half an entry be only the last of its segment", (t) => {
    const directory = temporaryDirectory(t);
    let room = 1.5 * LINE_BYTES;
    const journal = journalIn(t, directory, {
      write(file, line) {
        const written = writeSync(file, line.slice(0, room));
        room -= written;
        return written;
      },
    });
    journal.append([ledgerEntry("00")]);
    assert.throws(() => journal.append([ledgerEntry("01")]), JournalRefused);
    room = 2.5 * LINE_BYTES;
    journal.append([ledgerEntry("02")]);
    const [torn = "", whole = ""] = journal.seal();
    assert.ok(!readFileSync(torn, "latin1").endsWith("\n"));
    assert.equal(readFileSync(whole, "latin1"), encodeLine(ledgerEntry("02")));
  });

  it("goes on in the same segment after a write that failed as a whole", (t) => {
    let broken = false;
    const journal = journalIn(t, temporaryDirectory(t), {
      write(file, line) {
        if (broken) throw new Error("ENOSPC: no space left on device");
        return writeSync(file, line);
      },
    });
    journal.append([ledgerEntry("00")]);
    broken = true;
    assert.throws(() => journal.append([ledgerEntry("01")]), JournalRefused);
    broken = false;
    journal.append([ledgerEntry("02")]);
    const [segment = "", ...others] = journal.seal();
    assert.deepEqual(others, []);
    assert.equal(
      readFileSync(segment, "latin1"),
      encodeLine(ledgerEntry("00")) + encodeLine(ledgerEntry("02")),
    );
  });

  const skip = process.platform !== "linux";
  it("leaves no file open when it is closed", { skip }, async (t) => {
    const openFiles = () => readdirSync("/proc/self/fd").length;
    const before = openFiles();
    const journal = journalIn(t, temporaryDirectory(t), { segmentBytes: LINE_BYTES });
    for (let index = 10; index < 60; index += 1) journal.append([ledgerEntry(String(index))]);
    journal.sync();
    await journal.close();
    assert.equal(openFiles(), before);
  });
});
