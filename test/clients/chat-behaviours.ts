// Plain chat, whole and streamed: words, counts, reasons and ids come through as they are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Stage, WAYS } from "./stage.ts";
import { SMALL, VISION } from "./test-bed.ts";
import { answer, USAGE } from "./upstream-answers.ts";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function chatBehaviours(stage: Stage): void {
  for (const { way, send } of WAYS) {
    test(`a ${way} answer has the text, an id, the model's public id and a finish reason`, async () => {
      stage.bed.script(answer({ pieces: ["Good", " day"] }));
      const said = await send(await stage.client(), { messages: "Hello" });
      assert.equal(said.text, "Good day");
      assert.match(said.id ?? "", /^chatcmpl-[\w-]+$/);
      assert.equal(said.model, SMALL);
      assert.equal(said.finishReason, "stop");
      assert.deepEqual(said.calls, []);
    });

    test(`a ${way} answer counts what the upstream counted`, async () => {
      stage.bed.script(answer({ pieces: ["Good day"] }));
      const { usage } = await send(await stage.client(), { messages: "Hello" });
      assert.deepEqual(usage, {
        prompt: USAGE.prompt_tokens,
        completion: USAGE.completion_tokens,
        total: USAGE.total_tokens,
        cached: USAGE.prompt_tokens_details.cached_tokens,
        reasoning: USAGE.completion_tokens_details.reasoning_tokens,
      });
    });

    test(`a ${way} answer cut at the token limit says length`, async () => {
      stage.bed.script(answer({ pieces: ["Once upon"], finish: "length" }));
      const ask = { messages: "Tell me a story", maxTokens: 2 };
      const said = await send(await stage.client(), ask);
      assert.equal(said.text, "Once upon");
      assert.equal(said.finishReason, "length");
      assert.equal(stage.bed.lastRequest().body.max_tokens, 2);
    });

    test(`a ${way} answer keeps every character`, async () => {
      const text = 'Tab\t"quotes" \\ back\r\n\n漢字 🧑🏽‍🚀 \u2028 data: [DONE] </s> e\u0301\u0000.';
      const said = await send(await stage.client(), { messages: text });
      assert.equal(said.text, text);
    });

    test(`a ${way} answer may be empty`, async () => {
      stage.bed.script(answer({ pieces: [] }));
      const said = await send(await stage.client(), { messages: "Say nothing" });
      assert.equal(said.text, "");
      assert.equal(said.finishReason, "stop");
      assert.equal(said.usage.completion, USAGE.completion_tokens);
    });

    test(`a ${way} answer brings a request id of its own`, async () => {
      const client = await stage.client();
      const first = await send(client, { messages: "One" });
      const second = await send(client, { messages: "Two" });
      assert.match(first.requestId ?? "", /^[\w-]{8,}$/);
      assert.equal(first.requestId, first.header("x-request-id"));
      assert.notEqual(first.requestId, second.requestId);
    });
  }

  test("instructions and history reach the upstream in their order", async () => {
    const client = await stage.client();
    await client.ask({
      messages: [
        { role: "system", text: "Be brief." },
        { role: "user", text: "Hello" },
        { role: "assistant", text: "Hi" },
        { role: "user", text: "How are you?" },
      ],
    });
    assert.deepEqual(stage.bed.lastRequest().body.messages, [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "How are you?" },
    ]);
  });

  test("an image reaches a model that sees", async () => {
    const client = await stage.client({ model: VISION });
    await client.ask({
      model: VISION,
      messages: [{ role: "user", text: "What is this?", image: PIXEL }],
    });
    assert.deepEqual(stage.bed.lastRequest().body.messages, [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: PIXEL } },
        ],
      },
    ]);
  });

  test("an image for a model that does not see is a bad request", async () => {
    const client = await stage.client();
    const before = stage.bed.requestCount();
    const messages = [{ role: "user", text: "What is this?", image: PIXEL }] as const;
    await assert.rejects(client.ask({ messages }), (error) => {
      const { kind, message } = client.explain(error);
      assert.equal(kind, "bad_request");
      assert.match(message, /^messages\[0\]\.content\[1\].*image/);
      return true;
    });
    assert.equal(stage.bed.requestCount(), before);
  });
}
