import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalog } from "../catalog/index.ts";
import { createKeyRing, type KeyRing } from "./key-ring.ts";
import { hashKey } from "./keys.ts";
import { createMemoryStore, type MemoryStore } from "./memory-store-fixture.ts";
import { createProvisioning, type Provisioning } from "./provisioning.ts";
import { secureRandomness } from "./randomness.ts";
import { openWallet } from "./wallet.ts";

const engine = { type: "openai", base_url: "http://127.0.0.1:9/v1" } as const;
const models = createCatalog(
  {
    "my-haiku": { kind: "chat", engine },
    "my-embedder": { kind: "embedding", engine },
    "my-painter": { kind: "image", engine },
    "my-ranker": { kind: "rerank", engine },
    "my-dream": { kind: "chat" },
  },
  { local: false },
);

type Bench = {
  readonly provisioning: Provisioning;
  readonly keyRing: KeyRing;
  readonly store: MemoryStore;
};

async function bench(store = createMemoryStore(), random = secureRandomness): Promise<Bench> {
  const keyRing = createKeyRing();
  const wallet = await openWallet({ directory: "/nonexistent", keep: false });
  let now = 1_000;
  const clock = () => (now += 1);
  const provisioning = createProvisioning({ store, keyRing, models, wallet, clock, random });
  await provisioning.load();
  return { provisioning, keyRing, store };
}

const accepts = (keyRing: KeyRing, key: string): boolean => {
  try {
    keyRing.authenticate(`Bearer ${key}`);
    return true;
  } catch {
    return false;
  }
};

test("a new resource is stored by the hash of its key, and its key works at once", async () => {
  const { provisioning, keyRing, store } = await bench();
  const { resource, key } = await provisioning.create({ model: "my-haiku" });
  assert.match(resource.name, /^inference-[a-z]+-\d{4}$/);
  assert.deepEqual(resource.aliases, ["INFERENCE"]);
  assert.equal(resource.model, "my-haiku");
  assert.deepEqual(keyRing.authenticate(`Bearer ${key}`), resource);
  const [stored] = await store.resources();
  assert.equal(stored?.keyHash, hashKey(key));
  assert.ok(!JSON.stringify(stored).includes(key));
});

test("default aliases say the kind of model and count up", async () => {
  const { provisioning } = await bench();
  const aliases = [];
  for (const model of ["my-haiku", "my-haiku", "my-embedder", "my-painter", "my-ranker"]) {
    aliases.push((await provisioning.create({ model })).resource.aliases[0]);
  }
  aliases.push((await provisioning.create({ plan: "standard" })).resource.aliases[0]);
  assert.deepEqual(aliases, [
    "INFERENCE",
    "INFERENCE_2",
    "EMBEDDING",
    "DIFFUSION",
    "RERANK",
    "INFERENCE_3",
  ]);
});

test("the plan standard keeps no model", async () => {
  const { provisioning } = await bench();
  const { resource } = await provisioning.create({ model: "my-embedder", plan: "standard" });
  assert.deepEqual([resource.plan, resource.model], ["standard", null]);
  assert.deepEqual(resource.aliases, ["INFERENCE"]);
});

test("resources made at the same time get different aliases", async () => {
  const { provisioning } = await bench();
  const made = await Promise.all(
    Array.from({ length: 5 }, () => provisioning.create({ model: "my-haiku" })),
  );
  assert.equal(new Set(made.map(({ resource }) => resource.aliases[0])).size, 5);
});

test("an alias that is taken is a conflict that names its holder", async () => {
  const { provisioning } = await bench();
  const { resource } = await provisioning.create({ model: "my-haiku", alias: "CHAT" });
  await assert.rejects(provisioning.create({ model: "my-haiku", alias: "CHAT" }), {
    status: 409,
    type: "invalid_request_error",
    message: `The alias CHAT is taken by ${resource.name}: choose another one, or destroy that resource first.`,
  });
  assert.equal(provisioning.list().length, 1);
});

test("an alias that cannot begin a variable is refused", async () => {
  const { provisioning } = await bench();
  for (const alias of ["chat", "", "A-B", "1A"]) {
    await assert.rejects(provisioning.create({ model: "my-haiku", alias }), { status: 400 });
  }
});

test("an unknown model is answered with those there are", async () => {
  const { provisioning } = await bench();
  await assert.rejects(provisioning.create({ model: "my-haikku" }), {
    status: 404,
    message:
      'There is no model "my-haikku". Available: my-haiku, my-embedder, my-painter, my-ranker.',
  });
});

test("a model that nothing runs is answered with what to add", async () => {
  const { provisioning } = await bench();
  await assert.rejects(provisioning.create({ model: "my-dream" }), {
    status: 400,
    message: /add an `engine` for it in hearth\.json/,
  });
});

test("without a model only the plan standard makes sense", async () => {
  const { provisioning } = await bench();
  await assert.rejects(provisioning.create({}), { status: 400 });
});

test("a name that another process took is drawn again", async () => {
  const words = { ...secureRandomness, integer: (below: number) => (below > 10_000 ? 12_345 : 7) };
  const one = await bench(createMemoryStore(), words);
  const two = await bench(one.store, words);
  const first = await one.provisioning.create({ model: "my-haiku" });
  const second = await two.provisioning.create({ model: "my-haiku" });
  assert.notEqual(first.resource.name, second.resource.name);
  assert.deepEqual(second.resource.aliases, ["INFERENCE_2"]);
});

test("a rotated key is refused when the promise resolves, and the new one works", async () => {
  const { provisioning, keyRing } = await bench();
  const { resource, key } = await provisioning.create({ model: "my-haiku" });
  const rotated = await provisioning.rotate("INFERENCE");
  assert.ok(!accepts(keyRing, key));
  assert.equal(keyRing.authenticate(`Bearer ${rotated.key}`).id, resource.id);
  assert.ok(rotated.resource.keyCreatedAt > resource.keyCreatedAt);
});

test("of many rotations at once exactly one key survives: the one in the store", async () => {
  const { provisioning, keyRing, store } = await bench();
  await provisioning.create({ model: "my-haiku" });
  const rotated = await Promise.all(
    Array.from({ length: 20 }, () => provisioning.rotate("INFERENCE")),
  );
  const living = rotated.filter(({ key }) => accepts(keyRing, key));
  const [stored] = await store.resources();
  assert.deepEqual(
    living.map(({ key }) => hashKey(key)),
    [stored?.keyHash],
  );
});

test("a destroyed resource is gone, with its key, and its alias is free again", async () => {
  const { provisioning, keyRing, store } = await bench();
  const { resource, key } = await provisioning.create({ model: "my-haiku" });
  assert.deepEqual(await provisioning.destroy(resource.name), resource);
  assert.ok(!accepts(keyRing, key));
  assert.deepEqual([provisioning.list(), await store.resources()], [[], []]);
  const again = await provisioning.create({ model: "my-haiku" });
  assert.deepEqual(again.resource.aliases, ["INFERENCE"]);
});

test("a resource is found by its name and by its alias, and otherwise not", async () => {
  const { provisioning } = await bench();
  const { resource } = await provisioning.create({ model: "my-haiku", alias: "CHAT" });
  assert.deepEqual(provisioning.info("CHAT"), resource);
  assert.deepEqual(provisioning.info(resource.name), resource);
  assert.throws(() => provisioning.info("NOBODY"), { status: 404 });
  for (const attempt of [provisioning.rotate("NOBODY"), provisioning.destroy("NOBODY")]) {
    await assert.rejects(attempt, { status: 404 });
  }
});

test("a new process knows every key of the store, and lists the oldest first", async () => {
  const { provisioning, store } = await bench();
  const { key } = await provisioning.create({ model: "my-haiku" });
  await provisioning.create({ model: "my-embedder" });
  const next = await bench(store);
  assert.ok(accepts(next.keyRing, key));
  assert.deepEqual(next.provisioning.list(), provisioning.list());
});

test("a rotation of what another process destroyed is a conflict, and then unknown", async () => {
  const one = await bench();
  await one.provisioning.create({ model: "my-haiku" });
  const two = await bench(one.store);
  await one.provisioning.destroy("INFERENCE");
  await assert.rejects(two.provisioning.rotate("INFERENCE"), { status: 409, message: /try again/ });
  await assert.rejects(two.provisioning.rotate("INFERENCE"), { status: 404 });
});

test("loading again follows what another process changed", async () => {
  const one = await bench();
  const two = await bench(one.store);
  const { key } = await one.provisioning.create({ model: "my-haiku" });
  assert.ok(!accepts(two.keyRing, key));
  await two.provisioning.load();
  assert.ok(accepts(two.keyRing, key));
  await one.provisioning.destroy("INFERENCE");
  await two.provisioning.load();
  assert.ok(!accepts(two.keyRing, key));
});
