import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { hashKey } from "./keys.ts";
import { openWallet, WALLET_FILE } from "./wallet.ts";

const KEY = "inf-3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const NEXT_KEY = "inf-7c9e6679-7425-40de-944b-e07fc1f90ae7";

async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "hearth-wallet-"));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const owner = (key: string) => ({ id: "one", keyHash: hashKey(key) });

test("a key is still there when the file is opened again", async (context) => {
  const directory = await temporaryDirectory(context);
  const wallet = await openWallet({ directory, keep: true });
  await wallet.propose("one", KEY);
  assert.equal(wallet.key(owner(KEY)), KEY);
  assert.equal((await openWallet({ directory, keep: true })).key(owner(KEY)), KEY);
});

test("only its owner can read the file, and no other file is left", async (context) => {
  const directory = await temporaryDirectory(context);
  await writeFile(join(directory, `${WALLET_FILE}.tmp`), "left by a crash", { mode: 0o644 });
  const wallet = await openWallet({ directory, keep: true });
  await wallet.propose("one", KEY);
  assert.equal((await stat(join(directory, WALLET_FILE))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(directory), [WALLET_FILE]);
});

test("of several candidates the hash chooses, until they are settled", async (context) => {
  const directory = await temporaryDirectory(context);
  const wallet = await openWallet({ directory, keep: true });
  await wallet.propose("one", KEY);
  await wallet.propose("one", NEXT_KEY);
  assert.equal(wallet.key(owner(KEY)), KEY);
  assert.equal(wallet.key(owner(NEXT_KEY)), NEXT_KEY);
  await wallet.settle([owner(NEXT_KEY)]);
  const reopened = await openWallet({ directory, keep: true });
  assert.equal(reopened.key(owner(NEXT_KEY)), NEXT_KEY);
  assert.equal(reopened.key(owner(KEY)), undefined);
  assert.ok(!(await readFile(join(directory, WALLET_FILE), "utf8")).includes(KEY));
});

test("settling with a hash that it does not know throws no key away", async (context) => {
  const directory = await temporaryDirectory(context);
  const wallet = await openWallet({ directory, keep: true });
  await wallet.propose("one", KEY);
  await wallet.propose("one", NEXT_KEY);
  await wallet.settle([{ id: "one", keyHash: hashKey("another store") }]);
  await wallet.settle([]);
  assert.equal(wallet.key(owner(KEY)), KEY);
  assert.equal(wallet.key(owner(NEXT_KEY)), NEXT_KEY);
});

test("a forgotten resource is gone from the file", async (context) => {
  const directory = await temporaryDirectory(context);
  const wallet = await openWallet({ directory, keep: true });
  await wallet.propose("one", KEY);
  await wallet.forget("one");
  assert.equal(wallet.key(owner(KEY)), undefined);
  assert.ok(!(await readFile(join(directory, WALLET_FILE), "utf8")).includes(KEY));
});

test("a write that fails leaves the wallet as it was", async (context) => {
  const directory = await temporaryDirectory(context);
  const wallet = await openWallet({ directory, keep: true });
  await wallet.propose("one", KEY);
  await rm(directory, { recursive: true });
  await assert.rejects(wallet.propose("one", NEXT_KEY), { code: "ENOENT" });
  assert.equal(wallet.key(owner(NEXT_KEY)), undefined);
  assert.equal(wallet.key(owner(KEY)), KEY);
});

test("where keys are not kept there is no file, and one from before is removed", async (context) => {
  const directory = await temporaryDirectory(context);
  await (await openWallet({ directory, keep: true })).propose("one", KEY);
  const wallet = await openWallet({ directory, keep: false });
  await wallet.propose("one", NEXT_KEY);
  await wallet.settle([owner(NEXT_KEY)]);
  await wallet.forget("one");
  assert.equal(wallet.key(owner(NEXT_KEY)), undefined);
  assert.deepEqual(await readdir(directory), []);
});

test("a file that was damaged is named with what to do, and not quoted", async (context) => {
  const directory = await temporaryDirectory(context);
  const path = join(directory, WALLET_FILE);
  for (const damaged of [
    `{"keys":{"one":["${KEY}"`,
    `{"keys":{"one":"${KEY}"}}`,
    `{"keys":{"one":["${KEY} "]}}`,
    `{"keys":["${KEY}"]}`,
    `["${KEY}"]`,
    "null",
    "",
  ]) {
    await writeFile(path, damaged);
    const error = await openWallet({ directory, keep: true }).catch((reason: unknown) => reason);
    assert.ok(error instanceof Error);
    assert.ok(error.message.includes(path));
    assert.match(error.message, /hearth keys rotate/);
    assert.ok(!`${error.message} ${String(error.cause)}`.includes(KEY.slice(0, 12)));
  }
});
