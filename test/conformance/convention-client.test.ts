// The convention's own client against the whole service, set up with nothing but the config
// variables. Further clients and versions: test/clients.

import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { openStage, SMALL } from "./stage.ts";

test("the convention's own client works with another base address and key", async (context) => {
  const stage = await openStage();
  context.after(() => stage.stop());
  const { config } = await stage.hearth.admin.create({ model: SMALL });
  const client = new OpenAI({
    baseURL: `${config.INFERENCE_URL}/v1`,
    apiKey: config.INFERENCE_KEY ?? "",
  });
  const question = {
    model: config.INFERENCE_MODEL_ID ?? "",
    messages: [{ role: "user" as const, content: "Hello there" }],
  };
  const whole = await client.chat.completions.create(question);
  assert.equal(whole.choices[0]?.message.content, "Hello there");
  let text = "";
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? "";
  }
  assert.equal(text, "Hello there");
});
