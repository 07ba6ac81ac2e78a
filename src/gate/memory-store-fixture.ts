// A store in memory for the tests of provisioning, with a switch for each way in which a
// write can go wrong. It is named as a test so that the build leaves it out.

import { type ResourceRecord, type Store, StoreConflict } from "../store/index.ts";

/** `after`: the write lands and fails all the same. `never`: the process died meanwhile. */
export type Fault = "before" | "after" | "never before" | "never after";

export type MemoryStore = Store & {
  /** The next write goes wrong like this. */
  failNextWrite(fault: Fault): void;
  /** While it is away, nothing can be read or written. */
  away: boolean;
};

export function createMemoryStore(): MemoryStore {
  const records = new Map<string, ResourceRecord>();
  const facts = new Map<string, string>();
  let nextFault: Fault | undefined;
  const unused = (): never => {
    throw new Error("provisioning has no business with the ledger");
  };

  const write = async (change: () => void): Promise<void> => {
    // A turn of the event loop, so that writes which are not serialised do interleave.
    await new Promise((resolve) => setImmediate(resolve));
    const fault = nextFault;
    nextFault = undefined;
    if (store.away || fault === "before") throw new Error("the disk is full");
    if (fault === "never before") await new Promise(() => undefined);
    change();
    if (fault === "after") throw new Error("the connection was lost");
    if (fault === "never after") await new Promise(() => undefined);
  };

  const store: MemoryStore = {
    away: false,
    ledger: {
      record: unused,
      flush: unused,
      waitingBytes: unused,
      totals: unused,
      entries: unused,
    },
    failNextWrite(fault) {
      nextFault = fault;
    },
    async resources() {
      if (store.away) throw new Error("the store is away");
      return [...records.values()];
    },
    createResource: (record) =>
      write(() => {
        for (const other of records.values()) {
          const taken =
            other.name === record.name ||
            other.keyHash === record.keyHash ||
            other.aliases.some((alias) => record.aliases.includes(alias));
          if (taken) throw new StoreConflict("taken");
        }
        records.set(record.id, record);
      }),
    replaceKey: (id, keyHash, at) =>
      write(() => {
        const record = records.get(id);
        if (record === undefined) throw new StoreConflict("no such resource");
        records.set(id, { ...record, keyHash, keyCreatedAt: at });
      }),
    destroyResource: (id) =>
      write(() => {
        if (!records.delete(id)) throw new StoreConflict("no such resource");
      }),
    fact: async (name) => facts.get(name),
    async setFact(name, value) {
      facts.set(name, value);
    },
    close: async () => undefined,
  };
  return store;
}
