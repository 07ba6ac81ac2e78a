// The process that kill.test.ts kills: changes a store as fast as it can, and writes a line
// to standard output for each change after its promise has resolved or record has returned.
// Arguments: the directory, and a word that makes this process's ids its own.

import { writeSync } from "node:fs";
import { createSqliteStore } from "./sqlite-store.ts";
import { ledgerEntry, resourceRecord } from "./store-fixtures.ts";

const [directory = "", word = ""] = process.argv.slice(2);

function acknowledge(...words: (string | number)[]) {
  for (;;) {
    try {
      writeSync(1, `${words.join(" ")}\n`);
      return;
    } catch (error) {
      // The parent has not read yet. A later change must not be made before this line is out.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}

const store = await createSqliteStore({
  directory,
  // Short, so that a kill often falls into the move from journal to database.
  flushMs: 2,
  journalLimitBytes: 64 * 1024 ** 2,
  onProblem: (problem) => acknowledge("problem", problem.message),
});

let recorded = 0;

/** Records entries while the change is under way, so that a kill falls into both. */
async function change(promise: Promise<void>, ...words: (string | number)[]) {
  for (const end = recorded + 20; recorded < end; recorded += 1) {
    store.ledger.record(ledgerEntry(`${word}-${recorded}`, { promptTokens: recorded }));
    acknowledge("entry", `${word}-${recorded}`, recorded);
  }
  await promise;
  acknowledge(...words);
}

for (let count = 0; ; count += 1) {
  const id = `${word}-${count}`;
  const record = resourceRecord(id, { aliases: [`ALIAS-${id}`] });
  await change(store.createResource(record), "created", id);
  for (let key = 1; key <= 3; key += 1) {
    await change(store.replaceKey(id, `${id}-key-${key}`, key), "key", id, key);
  }
  if (count % 3 !== 0) continue;
  acknowledge("destroying", id);
  await change(store.destroyResource(id, 9), "destroyed", id);
}
