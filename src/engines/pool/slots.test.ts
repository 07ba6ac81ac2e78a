import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Slots } from "./slots.ts";

const never = (): AbortSignal => new AbortController().signal;

describe("the slots of a target", () => {
  test("are handed on in the order of arrival", async () => {
    const slots = new Slots(1, 10);
    assert.equal(slots.tryTake(), true);
    assert.equal(slots.tryTake(), false);
    const order: string[] = [];
    const first = slots.wait(never()).then(() => order.push("first"));
    const second = slots.wait(never()).then(() => order.push("second"));
    assert.equal(slots.load, 3);
    slots.release();
    await first;
    slots.release();
    await second;
    assert.deepEqual(order, ["first", "second"]);
    slots.release();
    assert.equal(slots.load, 0);
  });

  test("are queued for up to the bound", () => {
    const slots = new Slots(1, 1);
    slots.tryTake();
    assert.equal(slots.queueable, true);
    void slots.wait(never());
    assert.equal(slots.queueable, false);
  });

  test("are not held for a caller who left the queue", async () => {
    const slots = new Slots(1, 10);
    slots.tryTake();
    const controller = new AbortController();
    const reason = new Error("gone");
    const leaving = slots.wait(controller.signal);
    const staying = slots.wait(never());
    controller.abort(reason);
    await assert.rejects(leaving, (error) => error === reason);
    await assert.rejects(slots.wait(controller.signal), (error) => error === reason);
    assert.equal(slots.load, 2);
    slots.release();
    await staying;
    assert.equal(slots.load, 1);
  });
});
