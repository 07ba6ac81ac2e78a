// Every point at which a change of a resource can break or the process can die: memory
// follows the store, and the wallet always holds the key that the store knows.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ServiceError } from "../call/index.ts";
import { createCatalog } from "../catalog/index.ts";
import { createKeyRing, type KeyRing } from "./key-ring.ts";
import { createMemoryStore, type MemoryStore } from "./memory-store-fixture.ts";
import { createProvisioning, type Provisioning } from "./provisioning.ts";
import { secureRandomness } from "./randomness.ts";
import { openWallet, WALLET_FILE, type Wallet } from "./wallet.ts";

const engine = { type: "openai", base_url: "http://127.0.0.1:9/v1" } as const;
const models = createCatalog({ "my-haiku": { kind: "chat", engine } });
const URL = "http://127.0.0.1:8080";

/** What outlives a process: the data directory and the store. */
type Disk = { readonly directory: string; readonly store: MemoryStore };
type Running = { readonly provisioning: Provisioning; readonly keyRing: KeyRing };

async function newDisk(context: TestContext): Promise<Disk> {
  const directory = await mkdtemp(join(tmpdir(), "hearth-provisioning-"));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return { directory, store: createMemoryStore() };
}

async function start(disk: Disk, faulty: Partial<Wallet> = {}): Promise<Running> {
  const wallet = { ...(await openWallet({ directory: disk.directory, keep: true })), ...faulty };
  const keyRing = createKeyRing();
  const provisioning = createProvisioning({
    store: disk.store,
    keyRing,
    models,
    wallet,
    clock: Date.now,
    random: secureRandomness,
  });
  await provisioning.load();
  return { provisioning, keyRing };
}

const statusOf = (keyRing: KeyRing, key: string | undefined): number => {
  try {
    keyRing.authenticate(`Bearer ${key}`);
    return 200;
  } catch (error) {
    return error instanceof ServiceError ? error.status : 500;
  }
};

const envKey = ({ provisioning }: Running): string | undefined =>
  provisioning.env(URL).INFERENCE_KEY;

/** Enough turns of the event loop for a change to reach the point where it hangs. */
async function untilItHangs(disk: Disk, reached: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 10_000 && !(await reached()); i += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(await reached(), `the change came this far in ${disk.directory}`);
}

const keysInFile = async ({ directory }: Disk): Promise<number> =>
  (await readFile(join(directory, WALLET_FILE), "utf8")).split("inf-").length - 1;

for (const moment of ["never before", "never after"] as const) {
  test(`killed during a rotation, ${moment.slice(6)} its commit: env has the key that works`, async (context) => {
    const disk = await newDisk(context);
    const first = await start(disk);
    const { key } = await first.provisioning.create({ model: "my-haiku" });
    const [before] = await disk.store.resources();
    disk.store.failNextWrite(moment);
    void first.provisioning.rotate("INFERENCE");
    await untilItHangs(disk, async () => {
      const [now] = await disk.store.resources();
      const committed = now?.keyHash !== before?.keyHash;
      return (await keysInFile(disk)) === 2 && committed === (moment === "never after");
    });

    const second = await start(disk);
    assert.equal(statusOf(second.keyRing, envKey(second)), 200);
    assert.equal(envKey(second) === key, moment === "never before");
    assert.equal(await keysInFile(disk), 1, "the other candidate is pruned");
  });
}

test("killed before a creation commits: nothing was made, and making it again works", async (context) => {
  const disk = await newDisk(context);
  const first = await start(disk);
  disk.store.failNextWrite("never before");
  void first.provisioning.create({ model: "my-haiku" });
  await untilItHangs(disk, async () => (await keysInFile(disk).catch(() => 0)) === 1);

  const second = await start(disk);
  assert.deepEqual(second.provisioning.env(URL), {});
  await second.provisioning.create({ model: "my-haiku" });
  assert.equal(statusOf(second.keyRing, envKey(second)), 200);
});

test("killed after a creation committed: env has its key", async (context) => {
  const disk = await newDisk(context);
  const first = await start(disk);
  disk.store.failNextWrite("never after");
  void first.provisioning.create({ model: "my-haiku" });
  await untilItHangs(disk, async () => (await disk.store.resources()).length === 1);

  const second = await start(disk);
  assert.equal(statusOf(second.keyRing, envKey(second)), 200);
});

test("a rotation that the store refuses leaves the old key working", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  const { key } = await hearth.provisioning.create({ model: "my-haiku" });
  disk.store.failNextWrite("before");
  await assert.rejects(hearth.provisioning.rotate("INFERENCE"), /disk is full/);
  assert.equal(statusOf(hearth.keyRing, key), 200);
  assert.equal(envKey(hearth), key);
  assert.equal(await keysInFile(disk), 1);
});

test("a rotation that failed but landed is what memory and env follow", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  const { key } = await hearth.provisioning.create({ model: "my-haiku" });
  disk.store.failNextWrite("after");
  await assert.rejects(hearth.provisioning.rotate("INFERENCE"), /connection was lost/);
  assert.equal(statusOf(hearth.keyRing, key), 401);
  assert.notEqual(envKey(hearth), key);
  assert.equal(statusOf(hearth.keyRing, envKey(hearth)), 200);
});

test("a destruction that failed leaves the key working; one that landed does not", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  const { key } = await hearth.provisioning.create({ model: "my-haiku" });
  disk.store.failNextWrite("before");
  await assert.rejects(hearth.provisioning.destroy("INFERENCE"));
  assert.equal(statusOf(hearth.keyRing, key), 200);
  disk.store.failNextWrite("after");
  await assert.rejects(hearth.provisioning.destroy("INFERENCE"));
  assert.equal(statusOf(hearth.keyRing, key), 401);
  assert.deepEqual(hearth.provisioning.list(), []);
});

test("a creation that the store refuses leaves nothing behind, not even in the wallet", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  disk.store.failNextWrite("before");
  await assert.rejects(hearth.provisioning.create({ model: "my-haiku" }));
  assert.deepEqual(hearth.provisioning.list(), []);
  assert.equal(await keysInFile(disk), 0);
});

test("a creation that failed but landed exists, with its key", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  disk.store.failNextWrite("after");
  await assert.rejects(hearth.provisioning.create({ model: "my-haiku" }));
  assert.equal(hearth.provisioning.list().length, 1);
  assert.equal(statusOf(hearth.keyRing, envKey(hearth)), 200);
});

test("with the store away known keys work, unknown ones get 503, until the next change finds it again", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  const { key } = await hearth.provisioning.create({ model: "my-haiku" });
  const unknown = `inf-${secureRandomness.uuid()}`;
  disk.store.away = true;
  await assert.rejects(hearth.provisioning.rotate("INFERENCE"));
  assert.deepEqual(
    [key, unknown].map((one) => statusOf(hearth.keyRing, one)),
    [200, 503],
  );
  disk.store.away = false;
  await hearth.provisioning.create({ model: "my-haiku" });
  assert.deepEqual(
    [key, unknown].map((one) => statusOf(hearth.keyRing, one)),
    [200, 401],
  );
});

test("a wallet that cannot be written stops a change before anything has happened", async (context) => {
  const disk = await newDisk(context);
  const full = () => Promise.reject(new Error("no space left"));
  const { provisioning } = await start(disk);
  const { key } = await provisioning.create({ model: "my-haiku" });
  const hearth = await start(disk, { propose: full });
  await assert.rejects(hearth.provisioning.rotate("INFERENCE"), /no space left/);
  await assert.rejects(hearth.provisioning.create({ model: "my-haiku" }), /no space left/);
  assert.equal(statusOf(hearth.keyRing, key), 200);
  assert.equal((await disk.store.resources()).length, 1);
});

test("a wallet that cannot be tidied does not undo a change that was committed", async (context) => {
  const disk = await newDisk(context);
  const full = () => Promise.reject(new Error("no space left"));
  const hearth = await start(disk, { settle: full, forget: full });
  const { key } = await hearth.provisioning.create({ model: "my-haiku" });
  const rotated = await hearth.provisioning.rotate("INFERENCE");
  assert.deepEqual(
    [key, rotated.key].map((one) => statusOf(hearth.keyRing, one)),
    [401, 200],
  );
  assert.equal(envKey(hearth), rotated.key);
  assert.equal(envKey(await start(disk)), rotated.key);
  await hearth.provisioning.destroy("INFERENCE");
  assert.equal(statusOf(hearth.keyRing, rotated.key), 401);
  assert.deepEqual((await start(disk)).provisioning.env(URL), {});
});

test("the file holds the keys in force and no others", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  await hearth.provisioning.create({ model: "my-haiku" });
  await hearth.provisioning.rotate("INFERENCE");
  assert.equal(await keysInFile(disk), 1);
  await hearth.provisioning.destroy("INFERENCE");
  assert.equal(await keysInFile(disk), 0);
});

test("one change that fails does not hold up the next", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  disk.store.failNextWrite("before");
  const results = await Promise.allSettled([
    hearth.provisioning.create({ model: "my-haiku" }),
    hearth.provisioning.create({ model: "my-haiku" }),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "fulfilled"],
  );
});

test("env is one flat object over all resources", async (context) => {
  const disk = await newDisk(context);
  const hearth = await start(disk);
  await hearth.provisioning.create({ model: "my-haiku" });
  await hearth.provisioning.create({ plan: "standard", alias: "ALL" });
  assert.deepEqual(Object.keys(hearth.provisioning.env(`${URL}/`)), [
    "INFERENCE_URL",
    "INFERENCE_KEY",
    "INFERENCE_MODEL_ID",
    "ALL_URL",
    "ALL_KEY",
  ]);
});
