// kill -9 at random moments, over and over on one data directory, while resources are made,
// rotated and destroyed and calls are answered: whatever was acknowledged is still there, and
// nothing is there twice.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connectAdmin } from "../../src/cli/remote-admin.ts";
import { adminSocketPath } from "../../src/data-directory/index.ts";
import { createSqliteStore, type LedgerEntry } from "../../src/store/index.ts";
import { chat, configFor } from "../support/chat.ts";
import { type HearthProgram, spawnHearth, temporaryDirectory } from "../support/hearth.ts";
import { startMockUpstream } from "../support/mock-upstream.ts";

const ROUNDS = 50;
const CALLERS = 4;

type Seen = { readonly prompt: number; readonly completion: number };

/** What the outside world was told, and so may rely on. */
class Acknowledged {
  /** Resource name to its last acknowledged key. */
  readonly keys = new Map<string, string>();
  /** Resources whose next state is open: a change was asked for and never answered. */
  readonly inDoubt = new Set<string>();
  readonly replies = new Map<string, Seen>();
  readonly destroyed = new Set<string>();
}

describe("kill -9", () => {
  it(`${ROUNDS} times loses no acknowledged change and no settled usage, and doubles none`, async () => {
    const upstream = await startMockUpstream({ record: false });
    const dataDirectory = await temporaryDirectory();
    const config = configFor(upstream.url, { limits: { requests: null, tokens: null } });
    const known = new Acknowledged();
    for (let round = 0; round < ROUNDS; round++) {
      const hearth = await spawnHearth({ config, dataDirectory });
      await checkResources(hearth, known);
      await workUntilKilled(hearth, known, round);
    }
    const hearth = await spawnHearth({ config, dataDirectory });
    await checkResources(hearth, known);
    assert.deepEqual(await hearth.end("SIGTERM"), { code: 0, signal: null });
    const entries = await readLedger(dataDirectory);
    checkLedger(entries, known);
    assert.ok(known.keys.size > 10 && known.destroyed.size > 5 && known.replies.size > 200);
    await rm(dataDirectory, { recursive: true });
    await upstream.close();
  });
});

async function workUntilKilled(hearth: HearthProgram, known: Acknowledged, round: number) {
  const admin = await connectAdmin(adminSocketPath(hearth.dataDirectory));
  assert.ok(admin !== undefined);
  let alive = true;
  let calls = 0;
  const killAfter = 5 + Math.floor(Math.random() * 60);

  const changeOnce = async (step: number) => {
    const names = [...known.keys.keys()].filter((name) => !known.inDoubt.has(name));
    const name = names[Math.floor(Math.random() * names.length)];
    if (name === undefined || step % 3 === 0) {
      const created = await admin.create({ model: "my-haiku", alias: `A${round}_${step}` });
      known.keys.set(created.resource, created.config[`${created.alias}_KEY`] ?? "");
    } else if (step % 3 === 1) {
      known.inDoubt.add(name);
      const rotated = await admin.rotate(name);
      known.keys.set(name, rotated.config[`${rotated.alias}_KEY`] ?? "");
      known.inDoubt.delete(name);
    } else {
      known.inDoubt.add(name);
      await admin.destroy(name);
      known.destroyed.add(name);
      known.keys.delete(name);
      known.inDoubt.delete(name);
    }
  };

  const change = async () => {
    for (let step = 0; alive; step++) await changeOnce(step);
  };

  const call = async (key: string, caller: number) => {
    for (let n = 0; alive; n++) {
      const id = `r${round}-${caller}-${n}`;
      const reply = await chat(
        { url: hearth.url, key },
        { headers: { "x-request-id": id }, body: { stream: n % 2 === 0 } },
      );
      const text = await reply.body.text();
      if (reply.statusCode !== 200) return;
      // Half a stream is no acknowledgement: only one that ended is.
      if (n % 2 === 0 && !text.endsWith("data: [DONE]\n\n")) return;
      const usage = /"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text);
      known.replies.set(id, { prompt: Number(usage?.[1]), completion: Number(usage?.[2]) });
      calls += 1;
    }
  };

  const created = await admin.create({ model: "my-haiku", alias: `CALLER${round}` });
  const key = created.config[`CALLER${round}_KEY`] ?? "";
  const work = [change(), ...Array.from({ length: CALLERS }, (_, n) => call(key, n))];
  const settled = Promise.allSettled(work);
  while (calls < killAfter) await nextTurn();
  await hearth.end("SIGKILL");
  alive = false;
  await settled;
}

async function checkResources(hearth: HearthProgram, known: Acknowledged) {
  const admin = await connectAdmin(adminSocketPath(hearth.dataDirectory));
  assert.ok(admin !== undefined);
  const resources = await admin.resources();
  const variables = await admin.env();
  const present = new Map(resources.map((resource) => [resource.name, resource]));
  assert.equal(present.size, resources.length);
  for (const name of known.destroyed) assert.ok(!present.has(name), `${name} was destroyed`);
  for (const [name, key] of known.keys) {
    const resource = present.get(name);
    const kept = variables[`${resource?.aliases[0]}_KEY`];
    if (known.inDoubt.delete(name)) {
      // Asked for and not answered: either way is right, but it must be one of them.
      if (resource === undefined) known.keys.delete(name);
      else known.keys.set(name, kept ?? "");
      continue;
    }
    assert.ok(resource !== undefined, `${name} was acknowledged and is gone`);
    assert.equal(kept, key, `${name} has another key than the one acknowledged`);
  }
  const [name] = known.keys.keys();
  if (name === undefined) return;
  const reply = await chat({ url: hearth.url, key: known.keys.get(name) ?? "" });
  await reply.body.dump();
  assert.equal(reply.statusCode, 200, `the key of ${name} works`);
}

async function readLedger(directory: string): Promise<readonly LedgerEntry[]> {
  const store = await createSqliteStore({
    directory,
    flushMs: 1000,
    journalLimitBytes: 1 << 20,
    onProblem: (problem) => assert.fail(problem),
  });
  const entries = await store.ledger.entries({ limit: 1_000_000 });
  await store.close();
  return entries;
}

function checkLedger(entries: readonly LedgerEntry[], known: Acknowledged) {
  const byRequest = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    if (!entry.requestId.startsWith("r")) continue;
    assert.ok(!byRequest.has(entry.requestId), `${entry.requestId} is booked twice`);
    byRequest.set(entry.requestId, entry);
  }
  for (const [requestId, { prompt, completion }] of known.replies) {
    const entry = byRequest.get(requestId);
    assert.ok(entry !== undefined, `${requestId} was answered and is not booked`);
    assert.deepEqual([entry.promptTokens, entry.completionTokens], [prompt, completion]);
  }
}
