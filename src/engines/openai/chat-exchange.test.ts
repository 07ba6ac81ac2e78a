import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startMockUpstream } from "../../../test/support/mock-upstream.ts";
import { HELLO, streaming, useMockUpstream } from "../../../test/support/mock-upstream-bed.ts";
import {
  dieAfter,
  hang,
  json,
  reset,
  stall,
  status,
} from "../../../test/support/mock-upstream-behaviours.ts";

const { bed, createTarget, attempt } = useMockUpstream();

describe("an upstream that breaks", () => {
  test("is 502 when nobody listens", async () => {
    const gone = await startMockUpstream();
    await gone.close();
    const { failure } = await attempt(createTarget({ base_url: gone.url }));
    assert.deepEqual([failure?.fault, failure?.error.status], ["target", 502]);
  });

  test("is 502 when it resets a fresh connection, without a second request", async () => {
    bed.upstream.script(reset);
    const { failure } = await attempt(createTarget());
    assert.equal(failure?.error.status, 502);
    assert.equal(bed.upstream.requests.length, 1);
  });

  test("is asked again at once when a used connection is dead", async () => {
    const target = createTarget();
    await attempt(target);
    await new Promise(setImmediate);
    bed.upstream.script(reset);
    const { failure, text } = await attempt(target);
    assert.equal(failure, undefined);
    assert.equal(text, "Hello");
    assert.equal(bed.upstream.requests.length, 3);
  });

  test("is asked again only once", async () => {
    const target = createTarget();
    await attempt(target);
    await new Promise(setImmediate);
    bed.upstream.script(reset, reset, reset);
    assert.equal((await attempt(target)).failure?.error.status, 502);
    assert.equal(bed.upstream.requests.length, 3);
  });

  test("mid-stream is 502 after what it had said", async () => {
    bed.upstream.script(dieAfter(HELLO));
    const { failure, events } = await attempt(createTarget(), streaming);
    assert.deepEqual(events, [{ type: "text", text: "Hello" }]);
    assert.equal(failure?.error.status, 502);
  });

  test("after the model's turn had ended takes nothing away", async () => {
    const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
    bed.upstream.script(dieAfter(HELLO, end));
    const { failure, events } = await attempt(createTarget(), streaming);
    assert.equal(failure, undefined);
    assert.deepEqual(events.at(-1), { type: "finish", reason: "stop" });
  });

  test("in the middle of a whole reply is 502", async () => {
    bed.upstream.script((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"choices":', () => setImmediate(() => response.socket?.destroy()));
    });
    const { failure, events } = await attempt(createTarget());
    assert.deepEqual(events, []);
    assert.equal(failure?.error.status, 502);
  });

  test("is cut off when a whole reply is larger than max_reply", async () => {
    bed.upstream.script(json({ filler: "x".repeat(5000) }));
    const { failure } = await attempt(createTarget({}, { max_reply: "1KiB" }));
    assert.match(failure?.error.message ?? "", /max_reply/);
  });

  test("is 502 when a whole reply is no JSON or has no choice", async () => {
    for (const behaviour of [status(200, "<html>"), json([]), json({ choices: [] }), json({})]) {
      bed.upstream.script(behaviour);
      assert.equal((await attempt(createTarget())).failure?.error.status, 502);
    }
  });

  test("is 504 when it does not begin, or falls silent, for longer than is set", async () => {
    const target = createTarget({}, { first_byte_timeout: "1ms", idle_timeout: "1ms" });
    bed.upstream.script(hang);
    const silent = await attempt(target, streaming);
    assert.equal(silent.failure?.error.status, 504);
    assert.match(silent.failure?.error.message ?? "", /first_byte_timeout/);
    bed.upstream.script(stall(HELLO));
    const stuck = await attempt(target, streaming);
    assert.equal(stuck.failure?.error.status, 504);
    assert.match(stuck.failure?.error.message ?? "", /idle_timeout/);
  });

  test("is alive for a probe below 500 only", async () => {
    const target = createTarget();
    for (const [code, alive] of [
      [200, true],
      [401, true],
      [404, true],
      [500, false],
      [503, false],
    ] as const) {
      bed.upstream.modelsStatus = code;
      assert.equal(await target.probe(), alive, `${code}`);
    }
    bed.upstream.modelsStatus = 200;
    assert.equal(await createTarget({ base_url: "http://127.0.0.1:1/v1" }).probe(), false);
  });
});
