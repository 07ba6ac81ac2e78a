// The behaviour that every store owes the rest of the house, as tests. An implementation
// passes a place in which it can be opened, closed and opened again.

import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type Store, StoreConflict } from "./store.ts";
import { ledgerEntry, resourceRecord } from "./store-fixtures.ts";

/** Opens the store of this test; every call within one test opens the same place. */
export type OpenStore = () => Promise<Store>;

export function testStoreContract(name: string, place: (t: TestContext) => OpenStore): void {
  const withStore = (run: (store: Store, reopen: OpenStore) => Promise<void>) => {
    return async (t: TestContext) => {
      const open = place(t);
      const stores: Store[] = [];
      const openAndTrack = async () => {
        const store = await open();
        stores.push(store);
        return store;
      };
      t.after(async () => {
        for (const store of stores) await store.close();
      });
      await run(await openAndTrack(), openAndTrack);
    };
  };

  describe(`${name}: resources`, () => {
    it(
      "gives back what was created, oldest first, aliases in their order",
      withStore(async (store) => {
        const first = resourceRecord("a", { aliases: ["INFERENCE", "CHAT", "BOT"] });
        const second = resourceRecord("b", { plan: "standard", model: null, createdAt: 1 });
        await store.createResource(first);
        await store.createResource(second);
        assert.deepEqual(await store.resources(), [second, first]);
      }),
    );

    it(
      "keeps a created resource when it is opened again",
      withStore(async (store, reopen) => {
        const record = resourceRecord("a", { aliases: ["INFERENCE"] });
        await store.createResource(record);
        await store.close();
        assert.deepEqual(await (await reopen()).resources(), [record]);
      }),
    );

    for (const [what, changes] of [
      ["name", { name: "inference-a" }],
      ["alias", { aliases: ["OTHER", "INFERENCE"] }],
      ["key", { keyHash: "a-key-0" }],
      ["id", { id: "a" }],
    ] as const) {
      it(
        `refuses a resource whose ${what} is taken, and keeps nothing of it`,
        withStore(async (store) => {
          const first = resourceRecord("a", { aliases: ["INFERENCE"] });
          await store.createResource(first);
          await assert.rejects(store.createResource(resourceRecord("b", changes)), StoreConflict);
          assert.deepEqual(await store.resources(), [first]);
          await store.createResource(resourceRecord("b", { aliases: ["OTHER"] }));
        }),
      );
    }

    it(
      "lets one of many simultaneous creations have the name",
      withStore(async (store) => {
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, index) =>
            store.createResource(resourceRecord(`r${index}`, { name: "inference-one" })),
          ),
        );
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
        assert.equal((await store.resources()).length, 1);
      }),
    );

    it(
      "replaces the key and never takes a former one back",
      withStore(async (store) => {
        await store.createResource(resourceRecord("a"));
        await store.replaceKey("a", "a-key-1", 1_700_000_000_500);
        const [resource] = await store.resources();
        assert.equal(resource?.keyHash, "a-key-1");
        assert.equal(resource?.keyCreatedAt, 1_700_000_000_500);
        await assert.rejects(store.replaceKey("a", "a-key-0", 1_700_000_000_900), StoreConflict);
        assert.equal((await store.resources())[0]?.keyHash, "a-key-1");
      }),
    );

    it(
      "refuses to replace the key of a resource that is not there, or was destroyed",
      withStore(async (store) => {
        await assert.rejects(store.replaceKey("nobody", "hash", 1), StoreConflict);
        await store.createResource(resourceRecord("a"));
        await store.destroyResource("a", 2);
        await assert.rejects(store.replaceKey("a", "hash", 3), StoreConflict);
      }),
    );

    it(
      "frees name and aliases of a destroyed resource, but not its key",
      withStore(async (store) => {
        await store.createResource(resourceRecord("a", { aliases: ["INFERENCE"] }));
        await store.destroyResource("a", 1_700_000_001_000);
        assert.deepEqual(await store.resources(), []);
        const heir = resourceRecord("b", { name: "inference-a", aliases: ["INFERENCE"] });
        await assert.rejects(store.createResource({ ...heir, keyHash: "a-key-0" }), StoreConflict);
        await store.createResource(heir);
        assert.deepEqual(await store.resources(), [heir]);
      }),
    );

    it(
      "refuses to destroy what is not there",
      withStore(async (store) => {
        await assert.rejects(store.destroyResource("nobody", 1), StoreConflict);
      }),
    );
  });

  describe(`${name}: ledger`, () => {
    it(
      "has every recorded entry at once, newest first and unchanged",
      withStore(async (store) => {
        const entries = [
          ledgerEntry("one", { at: 1 }),
          ledgerEntry("two", { at: 3, outcome: "aborted", status: 499, estimated: true }),
          ledgerEntry("three", { at: 2, outcome: "error", status: 502, durationMs: 0 }),
          ledgerEntry("four", { at: 4, model: 'quote " \\ line\n NUL \0 Ångström 日本 🔥' }),
        ];
        for (const entry of entries) store.ledger.record(entry);
        const newestFirst = [...entries].sort((a, b) => b.at - a.at);
        assert.deepEqual(await store.ledger.entries(), newestFirst);
        assert.deepEqual(await store.ledger.entries({ limit: 2 }), newestFirst.slice(0, 2));
      }),
    );

    it(
      "keeps one row when an id is recorded twice",
      withStore(async (store) => {
        store.ledger.record(ledgerEntry("same"));
        store.ledger.record(ledgerEntry("same"));
        await store.ledger.flush();
        store.ledger.record(ledgerEntry("same"));
        assert.equal((await store.ledger.totals()).requests, 1);
      }),
    );

    it(
      "sums what was recorded",
      withStore(async (store) => {
        assert.deepEqual(await store.ledger.totals(), {
          requests: 0,
          promptTokens: 0,
          completionTokens: 0,
          cachedTokens: 0,
        });
        for (let index = 0; index < 1000; index += 1) {
          store.ledger.record(ledgerEntry(`entry-${index}`, { promptTokens: index }));
        }
        assert.deepEqual(await store.ledger.totals(), {
          requests: 1000,
          promptTokens: 499_500,
          completionTokens: 20_000,
          cachedTokens: 10_000,
        });
      }),
    );

    it(
      "filters by resource, model and time, the end excluded",
      withStore(async (store) => {
        store.ledger.record(ledgerEntry("1", { at: 10, resourceId: "a", model: "x" }));
        store.ledger.record(ledgerEntry("2", { at: 20, resourceId: "a", model: "y" }));
        store.ledger.record(ledgerEntry("3", { at: 30, resourceId: "b", model: "x" }));
        const ids = async (filter: Parameters<Store["ledger"]["entries"]>[0]) =>
          (await store.ledger.entries(filter)).map(({ id }) => id);
        assert.deepEqual(await ids({ resourceId: "a" }), ["2", "1"]);
        assert.deepEqual(await ids({ model: "x" }), ["3", "1"]);
        assert.deepEqual(await ids({ since: 20 }), ["3", "2"]);
        assert.deepEqual(await ids({ until: 20 }), ["1"]);
        assert.deepEqual(await ids({ resourceId: "a", model: "x", since: 10, until: 11 }), ["1"]);
        assert.equal((await store.ledger.totals({ model: "x", since: 11 })).requests, 1);
      }),
    );

    it(
      "keeps entries that were recorded just before closing",
      withStore(async (store, reopen) => {
        store.ledger.record(ledgerEntry("last"));
        await store.close();
        assert.deepEqual(await (await reopen()).ledger.entries(), [ledgerEntry("last")]);
      }),
    );

    it(
      "keeps the rows of a destroyed resource",
      withStore(async (store) => {
        await store.createResource(resourceRecord("a"));
        store.ledger.record(ledgerEntry("1", { resourceId: "a" }));
        await store.destroyResource("a", 1_700_000_001_000);
        assert.equal((await store.ledger.totals({ resourceId: "a" })).requests, 1);
      }),
    );
  });

  describe(`${name}: facts and closing`, () => {
    it(
      "remembers the latest value of a fact",
      withStore(async (store, reopen) => {
        assert.equal(await store.fact("first-start"), undefined);
        await store.setFact("first-start", "begun");
        await store.setFact("first-start", "done");
        await store.close();
        assert.equal(await (await reopen()).fact("first-start"), "done");
      }),
    );

    it(
      "refuses work after it was closed, and closes twice without complaint",
      withStore(async (store) => {
        store.ledger.record(ledgerEntry("early"));
        await Promise.all([store.close(), store.close()]);
        await store.close();
        assert.throws(() => store.ledger.record(ledgerEntry("late")), /closed/);
        await assert.rejects(store.resources(), /closed/);
      }),
    );
  });
}
