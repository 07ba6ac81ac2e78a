// What goes wrong on the way: an upstream that is away for a moment, one that dies in the
// middle, and a caller that leaves.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Behaviour } from "../support/mock-upstream.ts";
import { dieAfter, hang, rawStream, stall, status } from "../support/mock-upstream-behaviours.ts";
import { type Stage, WAYS } from "./stage.ts";
import { answer, frame } from "./upstream-answers.ts";

const MOST_MS_TO_STOP = 100;

export function interruptionBehaviours(stage: Stage): void {
  for (const { way, send } of WAYS) {
    test(`an upstream that refuses once is no more than a retry of the library (${way})`, async () => {
      const client = await stage.client({ retries: 1 });
      const before = stage.bed.requestCount();
      stage.bed.script(
        status(503, { error: { message: "loading" } }),
        answer({ pieces: ["Here"] }),
      );
      const said = await send(client, { messages: "Hello" });
      assert.equal(said.text, "Here");
      assert.equal(stage.bed.requestCount(), before + 2);
    });

    test(`an upstream that dies before its first word is a server error (${way})`, async () => {
      const client = await stage.client();
      // Not a bare reset: a pooled connection that breaks so early is tried once more.
      stage.bed.script(dieAfter(": hello\n\n"));
      await assert.rejects(send(client, { messages: "Hello" }), (error) => {
        const { kind, status: code, type, message } = client.explain(error);
        assert.deepEqual([kind, code, type], ["server", 502, "server_error"]);
        assert.match(message, /^the engine behind this model /);
        return true;
      });
    });
  }

  const deaths: readonly (readonly [string, Behaviour])[] = [
    ["drops the connection", dieAfter(frame("One"), frame(" two"))],
    ["ends without a finish", rawStream(frame("One"), frame(" two"))],
    [
      "reports an error",
      rawStream(frame("One"), frame(" two"), 'data: {"error":{"message":"out of memory"}}\n\n'),
    ],
  ];
  for (const [fate, behaviour] of deaths) {
    test(`a stream whose upstream ${fate} in the middle fails, it does not just end`, async () => {
      const client = await stage.client();
      const pieces: string[] = [];
      stage.bed.script(behaviour);
      const streaming = client.stream({ messages: "Count" }, (piece) => pieces.push(piece));
      await assert.rejects(streaming, (error) => {
        const { kind, type, message } = client.explain(error);
        assert.deepEqual([kind, type], ["stream", "server_error"]);
        assert.match(message, /^the engine behind this model /);
        return true;
      });
      assert.equal(pieces.join(""), "One two");
    });
  }

  test("aborting a request closes the upstream's within 100 ms", { timeout: 5000 }, async () => {
    const client = await stage.client();
    const controller = new AbortController();
    stage.bed.script(hang);
    const arrived = stage.bed.nextRequest();
    const asking = client.ask({ messages: "Hello", signal: controller.signal });
    const rejected = assert.rejects(asking);
    const request = await arrived;
    const abortedAt = performance.now();
    controller.abort();
    await rejected;
    assertSoon((await stage.bed.givenUpAt(request)) - abortedAt);
  });

  test("aborting a stream closes the upstream's within 100 ms", { timeout: 5000 }, async () => {
    const client = await stage.client();
    const controller = new AbortController();
    const seen = Promise.withResolvers<string>();
    stage.bed.script(stall(frame("One")));
    const arrived = stage.bed.nextRequest();
    const ask = { messages: "Count", signal: controller.signal };
    const streaming = client.stream(ask, (piece) => seen.resolve(piece));
    // Some libraries end the loop of an aborted stream, some throw: both is right.
    const settled = Promise.allSettled([streaming]);
    assert.equal(await seen.promise, "One");
    const abortedAt = performance.now();
    controller.abort();
    assertSoon((await stage.bed.givenUpAt(await arrived)) - abortedAt);
    await settled;
  });
}

function assertSoon(elapsedMs: number): void {
  assert.ok(elapsedMs < MOST_MS_TO_STOP, `the upstream was let go after ${elapsedMs} ms`);
}
