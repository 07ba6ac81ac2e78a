import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chooseSlot, type SlotView } from "./choose-slot.ts";
import type { KeptPrefix } from "./prefix-cache.ts";

const prefix: KeptPrefix = { caller: "one", tokens: [1], path: "1.state", bytes: 1 };
const busy: SlotView = { free: false, held: undefined };
const empty: SlotView = { free: true, held: undefined };
const holding: SlotView = { free: true, held: prefix };

describe("the slot for a call", () => {
  test("is the lowest free one, so that sequences follow each other", () => {
    assert.equal(chooseSlot([busy, empty, busy, empty], undefined), 1);
  });

  test("is the one that holds the call's prefix", () => {
    assert.equal(chooseSlot([empty, busy, holding], prefix), 0);
    assert.equal(chooseSlot([empty, holding, busy], prefix), 1);
  });

  test("is not one that would leave a gap, even if it holds the prefix", () => {
    assert.equal(chooseSlot([empty, empty, holding], prefix), 0);
  });

  test("is none when all are busy", () => {
    assert.equal(chooseSlot([busy, busy], undefined), -1);
  });
});
