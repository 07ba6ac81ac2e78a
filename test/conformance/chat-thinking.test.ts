// Extended thinking over the whole service: who may, how much, and who gets to see it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { reply } from "../support/mock-upstream-reply.ts";
import {
  assertRefused,
  chunksOf,
  MID,
  OLDER_THINKING,
  openStage,
  replyOf,
  SMALL,
  type Stage,
  THINKING,
} from "./stage.ts";

const thinks = reply({ text: "Four.", thinking: "Two and two" });
const thinking = (fields: object) => ({ extended_thinking: { enabled: true, ...fields } });

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

test("extended_thinking is for the mid tier of the generations 3.7 and 4, and refused by every other model", async () => {
  for (const model of [THINKING, OLDER_THINKING]) {
    replyOf(await stage.chat(thinking({}), { model }));
  }
  for (const model of [SMALL, MID]) {
    assertRefused(
      await stage.chat(thinking({}), { model }),
      `extended_thinking is not supported by ${model}; use ${THINKING} or ${OLDER_THINKING}`,
    );
  }
});

test("extended_thinking.enabled turns thinking on, and nothing else does", async () => {
  replyOf(await stage.chat(thinking({}), { model: THINKING }));
  assert.equal(stage.lastSent().reasoning_effort, "low");
  replyOf(await stage.chat({}, { model: THINKING }));
  assert.equal("reasoning_effort" in stage.lastSent(), false);
  const off = { extended_thinking: { enabled: false } };
  replyOf(await stage.chat(off, { model: THINKING }));
  assert.equal("reasoning_effort" in stage.lastSent(), false);
  assertRefused(
    await stage.chat({ extended_thinking: {} }, { model: THINKING }),
    "extended_thinking.enabled: is required",
  );
});

test("extended_thinking.budget_tokens is at least 1024 and at most what the model has", async () => {
  const ask = (budget_tokens: number) =>
    stage.chat(thinking({ budget_tokens }), { model: THINKING });
  replyOf(await ask(1024));
  replyOf(await ask(8191));
  assertRefused(
    await ask(1023),
    "extended_thinking.budget_tokens: 1023 is out of range: it must be at least 1024",
  );
  assertRefused(
    await ask(8193),
    `extended_thinking.budget_tokens: 8193 is out of range: it must be between 1024 and 8192 for ${THINKING}`,
  );
  assertRefused(
    await stage.chat(thinking({ budget_tokens: "many" }), { model: THINKING }),
    'extended_thinking.budget_tokens: "many" is not an integer',
  );
});

test("extended_thinking.budget_tokens is less than max_completion_tokens", async () => {
  const fields = { ...thinking({ budget_tokens: 2048 }), max_completion_tokens: 2048 };
  assertRefused(
    await stage.chat(fields, { model: THINKING }),
    "extended_thinking.budget_tokens: 2048 leaves no room for an answer: it must be less than max_completion_tokens, which is 2048",
  );
});

test("extended_thinking.include_reasoning returns the trace in the message", async () => {
  stage.upstream.script(thinks);
  const shown = await stage.chat(thinking({ include_reasoning: true }), { model: THINKING });
  assert.deepEqual(replyOf(shown).choices[0]?.message, {
    role: "assistant",
    content: "Four.",
    refusal: null,
    reasoning: { thinking: "Two and two" },
  });
});

test("without include_reasoning the trace stays inside", async () => {
  for (const include_reasoning of [false, undefined]) {
    stage.upstream.script(thinks);
    const hidden = await stage.chat(thinking({ include_reasoning }), { model: THINKING });
    const { message } = replyOf(hidden).choices[0] ?? {};
    assert.deepEqual(message, { role: "assistant", content: "Four.", refusal: null });
  }
});

test("extended_thinking.include_reasoning streams the trace beside empty content, before the text", async () => {
  stage.upstream.script(thinks);
  const fields = { ...thinking({ include_reasoning: true }), stream: true };
  const chunks = chunksOf(await stage.chat(fields, { model: THINKING }));
  const deltas = chunks.map(({ choices }) => choices[0]?.delta);
  assert.deepEqual(deltas, [
    { role: "assistant", content: "" },
    { content: "", reasoning: { thinking: "Two" } },
    { content: "", reasoning: { thinking: " and" } },
    { content: "", reasoning: { thinking: " two" } },
    { content: "Four." },
    {},
    {},
  ]);
});

test("a trace that comes back in the history is accepted", async () => {
  const said = { role: "assistant", content: "Four.", reasoning: { thinking: "Two and two" } };
  const messages = [{ role: "user", content: "2 + 2?" }, said, { role: "user", content: "Sure?" }];
  replyOf(await stage.chat({ messages, ...thinking({}) }, { model: THINKING }));
});
