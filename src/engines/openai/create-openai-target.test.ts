import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  HELLO,
  KEY,
  streaming,
  useMockUpstream,
  whole,
} from "../../../test/support/mock-upstream-bed.ts";
import { frames, json, stall } from "../../../test/support/mock-upstream-behaviours.ts";

const { bed, createTarget, attempt } = useMockUpstream();

describe("a request to an upstream", () => {
  test("carries the key, the request id and the engine's own headers", async () => {
    const target = createTarget({ headers: { "X-Team": "blue" }, model: "inner" });
    await attempt(target);
    const request = bed.upstream.requests.at(-1);
    assert.equal(request?.path, "/v1/chat/completions");
    assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(request?.headers["x-request-id"], "req-1");
    assert.equal(request?.headers["x-team"], "blue");
    assert.equal(request?.headers["content-type"], "application/json");
    assert.equal(request?.body.model, "inner");
  });

  test("is answered by the same events, streamed or whole", async () => {
    const target = createTarget();
    const once = await attempt(target, whole);
    const streamed = await attempt(target, streaming);
    assert.equal(once.text, "Hello");
    assert.equal(streamed.text, "Hello");
    assert.deepEqual(once.events.slice(1), streamed.events.slice(1));
    assert.deepEqual(once.events.at(-1), { type: "finish", reason: "stop" });
    const usage = once.events.find((event) => event.type === "usage")?.usage;
    assert.equal(usage?.completionTokens, 2);
  });

  test("brings tool calls and thinking of a whole reply", async () => {
    const target = createTarget();
    bed.upstream.script(
      json({
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: null,
              reasoning: "Hm",
              reasoning_details: [
                { type: "reasoning.text", text: "H", signature: "s1" },
                { type: "reasoning.text", text: "m", signature: "s2" },
              ],
              tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "" } }],
            },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 3, completion_tokens: 4, prompt_cache_hit_tokens: 2 },
      }),
    );
    assert.deepEqual((await attempt(target)).events, [
      { type: "thinking", text: "H" },
      { type: "signature", signature: "s1" },
      { type: "thinking", text: "m" },
      { type: "signature", signature: "s2" },
      {
        type: "usage",
        usage: { promptTokens: 3, completionTokens: 4, cachedTokens: 2, estimated: false },
      },
      { type: "tool_call", id: "c1", name: "f", arguments: "{}" },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  test("is read as what came, where an upstream ignores the wish to stream", async () => {
    const target = createTarget();
    const choice = { index: 0, message: { content: "whole" }, finish_reason: "stop" };
    bed.upstream.script(json({ choices: [choice] }));
    assert.equal((await attempt(target, streaming)).text, "whole");
    bed.upstream.script(
      frames({ choices: [{ delta: { content: "cut" }, finish_reason: "stop" }] }),
    );
    assert.equal((await attempt(target, whole)).text, "cut");
  });

  test("is over at [DONE], even when the upstream does not close its reply", async () => {
    const target = createTarget();
    bed.upstream.script(stall(HELLO, "data: [DONE]\n\n"));
    assert.deepEqual((await attempt(target, streaming)).events.at(-1), {
      type: "finish",
      reason: "stop",
    });
  });

  test("reuses one connection for calls that follow each other", async () => {
    const target = createTarget();
    const opened = bed.upstream.connections.total;
    for (let i = 0; i < 5; i++) {
      await attempt(target, i % 2 === 0 ? whole : streaming);
      await new Promise(setImmediate);
    }
    assert.ok(bed.upstream.connections.total - opened <= 2);
  });
});
