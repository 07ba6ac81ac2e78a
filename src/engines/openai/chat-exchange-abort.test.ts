import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Behaviour } from "../../../test/support/mock-upstream.ts";
import {
  HELLO,
  never,
  streaming,
  useMockUpstream,
  whole,
} from "../../../test/support/mock-upstream-bed.ts";
import { Flood, hang, rawStream, stall } from "../../../test/support/mock-upstream-behaviours.ts";
import { RecordingSink } from "../../../test/support/mock-upstream-caller.ts";
import type { Call } from "../../call/index.ts";

const { bed, createTarget } = useMockUpstream();

describe("a caller that goes away", () => {
  /** Milliseconds from the abort until the upstream saw its connection close. */
  async function abortDuring(
    call: Call,
    behaviour: Behaviour,
    reached: (sink: RecordingSink) => Promise<unknown>,
  ): Promise<number> {
    const controller = new AbortController();
    const sink = new RecordingSink();
    const count = bed.upstream.aborts.length;
    bed.upstream.script(behaviour);
    const running = createTarget().attempt(call, sink, controller.signal);
    await reached(sink);
    const abortedAt = performance.now();
    const reason = new Error("gone");
    controller.abort(reason);
    await assert.rejects(running, (error) => error === reason);
    const { closedAt } = await bed.upstream.abort(count + 1);
    return closedAt - abortedAt;
  }

  /** A starved machine may be late now and then; a timer of ours would be late every time. */
  async function assertPrompt(measure: () => Promise<number>): Promise<void> {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5 && best >= 100; i++) best = Math.min(best, await measure());
    assert.ok(best < 100, `took ${best} ms`);
  }

  test("stops a stream within 100 ms", async () => {
    await assertPrompt(() => abortDuring(streaming, stall(HELLO), (sink) => sink.firstEvent()));
  });

  test("stops a whole reply within 100 ms, before it began", async () => {
    await assertPrompt(() => {
      const next = bed.upstream.requests.length + 1;
      return abortDuring(whole, hang, () => bed.upstream.request(next));
    });
  });

  test("stops a whole reply within 100 ms, in the middle of it", async () => {
    await assertPrompt(() => {
      const begun = Promise.withResolvers<void>();
      const half: Behaviour = (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"choices"', () => begun.resolve());
      };
      return abortDuring(whole, half, () => begun.promise);
    });
  });

  test("leaves no listener behind, and neither does a call that ends well", async () => {
    const { signal } = new AbortController();
    const added = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: never) => {
      added.add(listener);
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: never) => {
      added.delete(listener);
      remove(type, listener);
    };
    await createTarget().attempt(streaming, new RecordingSink(), signal);
    assert.equal(added.size, 0);
  });

  test("before the call began sends nothing", async () => {
    const before = bed.upstream.requests.length;
    const reason = new Error("already gone");
    const attempted = createTarget().attempt(whole, new RecordingSink(), AbortSignal.abort(reason));
    await assert.rejects(attempted, (error) => error === reason);
    assert.equal(bed.upstream.requests.length, before);
  });

  test("while its connection is being made is let go at once", async () => {
    const controller = new AbortController();
    const reason = new Error("gone");
    const running = createTarget().attempt(whole, new RecordingSink(), controller.signal);
    controller.abort(reason);
    await assert.rejects(running, (error) => error === reason);
  });
});

describe("a reader that falls behind", () => {
  test("stops the upstream, and loses nothing when it goes on", async () => {
    const flood = new Flood(`data: {"choices":[{"delta":{"content":"${"x".repeat(1000)}"}}]}\n\n`);
    bed.upstream.script(flood.behaviour);
    const target = createTarget();
    const sink = new RecordingSink();
    const controller = new AbortController();
    sink.stick();
    const running = target.attempt(streaming, sink, controller.signal);
    running.catch(() => {});
    await sink.firstEvent();
    const stalledAt = await settled(() => flood.written);
    // What a stuck reader costs: the kernel's buffers and one packet of ours.
    assert.ok(stalledAt < 16 * 1024 * 1024, `${stalledAt} bytes were taken`);
    assert.ok(sink.text.length <= 64 * 1024, `${sink.text.length} characters were read`);
    sink.release();
    while (flood.written <= stalledAt) await new Promise(setImmediate);
    controller.abort(new Error("enough"));
    await assert.rejects(running);
  });

  test("hears the end of a stream that came while it was stuck", async () => {
    bed.upstream.script(rawStream(HELLO.repeat(200), HELLO.repeat(200), "data: [DONE]\n\n"));
    const sink = new RecordingSink();
    sink.stick();
    const running = createTarget().attempt(streaming, sink, never());
    await sink.firstEvent();
    sink.release();
    assert.equal(await running, undefined);
    assert.equal(sink.text, "Hello".repeat(400));
  });
});

/** Turns the event loop until the number has stood still for a while. */
async function settled(read: () => number): Promise<number> {
  let last = read();
  for (let still = 0; still < 200; ) {
    await new Promise(setImmediate);
    const now = read();
    still = now === last ? still + 1 : 0;
    last = now;
  }
  return last;
}
