// Extended thinking, a field that no library knows: it is sent as an extra one, and the
// reasoning comes back only to those who asked to see it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Stage, WAYS } from "./stage.ts";
import { THINKING } from "./test-bed.ts";
import { answer, USAGE } from "./upstream-answers.ts";

const spoken = { thinking: ["First", " this,", " then that."], pieces: ["It is", " 42."] };

export function thinkingBehaviours(stage: Stage): void {
  const { hidesReasoning } = stage.library;
  for (const { way, send } of WAYS) {
    const ask = (show: boolean) => ({
      model: THINKING,
      messages: "Why?",
      thinking: { budgetTokens: 4096, show },
    });

    test(`reasoning is shown when asked for (${way})`, { skip: hidesReasoning }, async () => {
      stage.bed.script(answer(spoken));
      const said = await send(await stage.client({ model: THINKING }), ask(true));
      assert.equal(said.reasoning, "First this, then that.");
      assert.equal(said.text, "It is 42.");
      assert.equal(said.usage.reasoning, USAGE.completion_tokens_details.reasoning_tokens);
    });

    test(`reasoning is not shown unless asked for (${way})`, async () => {
      stage.bed.script(answer(spoken));
      const said = await send(await stage.client({ model: THINKING }), ask(false));
      assert.equal(stage.bed.lastRequest().body.reasoning_effort, "medium");
      assert.equal(said.reasoning, "");
      assert.equal(said.text, "It is 42.");
    });

    test(`thinking on a model that does not think is a bad request (${way})`, async () => {
      const client = await stage.client();
      const thinking = { budgetTokens: 2048, show: true };
      await assert.rejects(send(client, { messages: "Why?", thinking }), (error) => {
        const { kind, message } = client.explain(error);
        assert.equal(kind, "bad_request");
        assert.match(message, /^extended_thinking .*my-haiku.*my-sonnet/);
        return true;
      });
    });
  }

  for (const effort of ["low", "medium", "high"] as const) {
    test(`an effort of ${effort} reaches the upstream as that effort`, async () => {
      const client = await stage.client({ model: THINKING });
      await client.ask({ model: THINKING, messages: "Why?", effort });
      assert.equal(stage.bed.lastRequest().body.reasoning_effort, effort);
    });
  }
}
