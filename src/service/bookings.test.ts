import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Log } from "../ops/index.ts";
import { ledgerEntry } from "../store/store-fixtures.ts";
import { createBookings } from "./bookings.ts";

function create(record: (...ids: string[]) => void) {
  const errors: unknown[] = [];
  let failures = 0;
  const silent = () => {};
  const log: Log = {
    debug: silent,
    info: silent,
    warn: silent,
    error: (fields) => void errors.push(fields),
    child: () => log,
  };
  const bookings = createBookings({
    ledger: { record: (...entries) => record(...entries.map(({ id }) => id)) },
    log,
    metrics: {
      ledgerFailed: () => {
        failures += 1;
      },
    },
  });
  return { bookings, errors, failures: () => failures };
}

describe("bookings", () => {
  it("of one turn are written together, and resolve once they are", async () => {
    const writes: string[][] = [];
    const { bookings } = create((...ids) => writes.push(ids));
    const both = Promise.all([bookings.book(ledgerEntry("a")), bookings.book(ledgerEntry("b"))]);
    assert.deepEqual(writes, []);
    await both;
    assert.deepEqual(writes, [["a", "b"]]);
    await bookings.book(ledgerEntry("c"));
    assert.deepEqual(writes, [["a", "b"], ["c"]]);
  });

  it("can be written at once, and are then not written again", async () => {
    const writes: string[][] = [];
    const { bookings } = create((...ids) => writes.push(ids));
    const booked = bookings.book(ledgerEntry("a"));
    bookings.flush();
    assert.deepEqual(writes, [["a"]]);
    await booked;
    await bookings.book(ledgerEntry("b"));
    assert.deepEqual(writes, [["a"], ["b"]]);
  });

  it("that the ledger refuses are counted and logged, and hold up nobody", async () => {
    const { bookings, errors, failures } = create(() => {
      throw new Error("disk full");
    });
    await bookings.book(ledgerEntry("a"));
    assert.equal(failures(), 1);
    assert.match(JSON.stringify(errors), /"id":"a"/);
  });
});
