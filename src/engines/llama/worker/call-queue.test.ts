import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CallQueue } from "./call-queue.ts";

const drain = (queue: CallQueue<string>): string[] =>
  Array.from({ length: queue.size }, () => queue.take() ?? "nothing");

describe("the queue for slots", () => {
  test("lets callers take turns, each in its own order", () => {
    const queue = new CallQueue<string>();
    for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
    queue.add("b", "b1");
    queue.add("c", "c1");
    queue.add("b", "b2");
    assert.deepEqual(drain(queue), ["a1", "b1", "c1", "a2", "b2", "a3"]);
    assert.equal(queue.take(), undefined);
  });

  test("is left without a trace", () => {
    const queue = new CallQueue<string>();
    queue.add("a", "a1");
    queue.add("a", "a2");
    queue.remove("a", "a1");
    queue.remove("a", "never there");
    queue.remove("nobody", "a2");
    assert.deepEqual(drain(queue), ["a2"]);
    assert.equal(queue.size, 0);
  });
});
