import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SseStream, StreamWatch } from "./sse-stream.ts";

/** Stands for a connection whose reader the test plays. */
class Wire extends EventEmitter {
  readonly writes: string[] = [];
  full = false;
  destroyed = false;
  write(text: string): boolean {
    this.writes.push(text);
    return !this.full;
  }
  end(text: string): void {
    if (text !== "") this.writes.push(text);
    this.emit("close");
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function open() {
  let now = 0;
  const wire = new Wire();
  const watch = new StreamWatch({ pingMs: 15_000, stallMs: 120_000, now: () => now });
  const stream = new SseStream(wire as unknown as ServerResponse, watch);
  return {
    wire,
    watch,
    stream,
    later: (ms: number) => {
      now += ms;
      watch.sweep();
    },
  };
}

describe("an event stream", () => {
  it("sends the frames of one turn in one write", async () => {
    const { wire, stream } = open();
    stream.write("data: 1\n\n");
    stream.write("data: 2\n\n");
    await nextTurn();
    stream.write("data: 3\n\n");
    await nextTurn();
    assert.deepEqual(wire.writes, ["data: 1\n\ndata: 2\n\n", "data: 3\n\n"]);
    stream.end("data: [DONE]\n\n");
  });

  it("sends what is pending before its closing frames", () => {
    const { wire, stream } = open();
    stream.write("data: 1\n\n");
    stream.end("data: [DONE]\n\n");
    assert.deepEqual(wire.writes, ["data: 1\n\ndata: [DONE]\n\n"]);
  });

  it("tells a writer that the reader is behind, and when it has caught up", async () => {
    const { wire, stream } = open();
    wire.full = true;
    assert.equal(stream.write("data: 1\n\n"), true);
    await nextTurn();
    assert.equal(stream.write("data: 2\n\n"), false);
    let caughtUp = false;
    const drained = stream.drained().then(() => {
      caughtUp = true;
    });
    await nextTurn();
    assert.equal(caughtUp, false);
    wire.full = false;
    wire.emit("drain");
    await drained;
    assert.equal(stream.write("data: 3\n\n"), true);
    stream.end("");
  });

  it("lets a waiting writer go when the reader leaves", async () => {
    const { wire, stream } = open();
    wire.full = true;
    stream.write("data: 1\n\n");
    await nextTurn();
    const drained = stream.drained();
    wire.destroy();
    await drained;
  });

  it("breaks a silence of fifteen seconds with a comment", async () => {
    const { wire, stream, later } = open();
    later(14_999);
    await nextTurn();
    assert.deepEqual(wire.writes, []);
    later(1);
    await nextTurn();
    assert.deepEqual(wire.writes, [": ping\n\n"]);
    later(14_000);
    await nextTurn();
    assert.equal(wire.writes.length, 1);
    stream.end("");
  });

  it("cuts a reader that stays behind, and sends it no comments", async () => {
    const { wire, stream, later } = open();
    wire.full = true;
    stream.write("data: 1\n\n");
    await nextTurn();
    later(60_000);
    assert.equal(wire.destroyed, false);
    later(60_000);
    assert.equal(wire.destroyed, true);
    assert.deepEqual(wire.writes, ["data: 1\n\n"]);
  });

  it("is forgotten once it has ended", () => {
    const { watch, stream } = open();
    assert.equal(watch.size, 1);
    stream.end("");
    assert.equal(watch.size, 0);
  });
});
