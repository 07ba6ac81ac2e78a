// Every field of a chat request, from the wire to what the upstream is asked: defaults,
// ranges, refusals, and what is accepted and ignored.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  assertRefused,
  chunksOf,
  errorOf,
  IMAGE,
  MID,
  openStage,
  replyOf,
  SMALL,
  type Stage,
} from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

test("model is required and names the chat model that answers", async () => {
  assertRefused(await stage.chat({ model: undefined }), "model: is required");
  assertRefused(await stage.chat({ model: 5 }), "model: 5 is not a string");
  assert.equal(replyOf(await stage.chat()).model, SMALL);
  assert.equal(stage.lastSent().model, SMALL);
  assertRefused(
    await stage.chat({}, { model: IMAGE }),
    `model: ${IMAGE} is an image model: use POST /v1/images/generations`,
  );
});

test("messages is required and carries every role to the upstream, in order", async () => {
  assertRefused(await stage.chat({ messages: undefined }), "messages: is required");
  assertRefused(await stage.chat({ messages: [] }), "messages: must not be empty");
  assertRefused(
    await stage.chat({ messages: [{ role: "user" }] }),
    "messages[0].content: is required",
  );
  assertRefused(
    await stage.chat({ messages: [{ role: "robot", content: "x" }] }),
    'messages[0].role: "robot" is not one of "system", "developer", "user", "assistant", "tool"',
  );
  const call = { id: "c1", type: "function", function: { name: "clock", arguments: "{}" } };
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "What time is it?" },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: "noon" },
    { role: "assistant", content: "Noon." },
    { role: "user", content: "Thanks" },
  ];
  replyOf(await stage.chat({ messages }));
  assert.deepEqual(stage.lastSent().messages, messages);
});

test("max_completion_tokens caps the output, at the tier's maximum where it is absent", async () => {
  replyOf(await stage.chat({ max_completion_tokens: 7 }));
  assert.equal(stage.lastSent().max_tokens, 7);
  replyOf(await stage.chat());
  assert.equal(stage.lastSent().max_tokens, 4096);
  replyOf(await stage.chat({}, { model: MID }));
  assert.equal(stage.lastSent().max_tokens, 8192);
  assertRefused(
    await stage.chat({ max_completion_tokens: 0 }),
    "max_completion_tokens: 0 is out of range: it must be at least 1",
  );
  assertRefused(
    await stage.chat({ max_completion_tokens: 12.5 }),
    "max_completion_tokens: 12.5 is not an integer",
  );
});

test("max_completion_tokens goes to 4096 on the small tier and to 8192 on the mid tier", async () => {
  replyOf(await stage.chat({ max_completion_tokens: 4096 }));
  assertRefused(
    await stage.chat({ max_completion_tokens: 4097 }),
    `max_completion_tokens: 4097 is out of range: it must be between 1 and 4096 for ${SMALL}`,
  );
  replyOf(await stage.chat({ max_completion_tokens: 8192 }, { model: MID }));
  assertRefused(
    await stage.chat({ max_completion_tokens: 8193 }, { model: MID }),
    `max_completion_tokens: 8193 is out of range: it must be between 1 and 8192 for ${MID}`,
  );
});

test("temperature is 1.0 by default and goes from 0.0 to 1.0", async () => {
  replyOf(await stage.chat());
  assert.equal(stage.lastSent().temperature, 1);
  for (const temperature of [0, 0.25, 1]) {
    replyOf(await stage.chat({ temperature }));
    assert.equal(stage.lastSent().temperature, temperature);
  }
  for (const temperature of [-0.1, 1.1, 2]) {
    assertRefused(
      await stage.chat({ temperature }),
      `temperature: ${temperature} is out of range: it must be between 0.0 and 1.0`,
    );
  }
  assertRefused(await stage.chat({ temperature: "1" }), 'temperature: "1" is not a number');
});

test("top_p is 0.999 by default and goes from 0 to 1.0", async () => {
  replyOf(await stage.chat());
  assert.equal(stage.lastSent().top_p, 0.999);
  for (const top_p of [0, 0.5, 1]) {
    replyOf(await stage.chat({ top_p }));
    assert.equal(stage.lastSent().top_p, top_p);
  }
  for (const top_p of [-0.01, 1.01]) {
    assertRefused(
      await stage.chat({ top_p }),
      `top_p: ${top_p} is out of range: it must be between 0.0 and 1.0`,
    );
  }
});

test("stream is false by default and makes the reply an event stream when true", async () => {
  const whole = await stage.chat();
  assert.equal(whole.headers["content-type"], "application/json");
  replyOf(whole);
  const streamed = await stage.chat({ stream: true });
  assert.equal(streamed.headers["content-type"], "text/event-stream");
  chunksOf(streamed);
  assertRefused(await stage.chat({ stream: "true" }), 'stream: "true" is not a boolean');
});

test("stop is handed on as a list of strings, one alone as well", async () => {
  replyOf(await stage.chat({ stop: ["END", "\n\n"] }));
  assert.deepEqual(stage.lastSent().stop, ["END", "\n\n"]);
  replyOf(await stage.chat({ stop: "END" }));
  assert.deepEqual(stage.lastSent().stop, ["END"]);
  replyOf(await stage.chat());
  assert.equal("stop" in stage.lastSent(), false);
  assertRefused(await stage.chat({ stop: [5] }), "stop[0]: 5 is not a string");
});

test("response_format json_object turns on JSON mode", async () => {
  const reply = replyOf(await stage.chat({ response_format: { type: "json_object" } }));
  assert.deepEqual(stage.lastSent().response_format, { type: "json_object" });
  assert.deepEqual(JSON.parse(reply.choices[0]?.message.content ?? ""), {
    answer: "Hello there",
  });
  assertRefused(
    await stage.chat({ response_format: { type: "yaml" } }),
    'response_format.type: "yaml" is not one of "text", "json_object", "json_schema"',
  );
});

test("seed, n, presence_penalty and frequency_penalty are accepted and ignored", async () => {
  const ignored = { seed: 1, n: 3, presence_penalty: 2, frequency_penalty: -2 };
  const reply = replyOf(await stage.chat(ignored));
  assert.equal(reply.choices.length, 1);
  for (const name of Object.keys(ignored)) assert.equal(name in stage.lastSent(), false, name);
});

test("fields that clients of the convention send by habit are accepted and ignored", async () => {
  const habits = {
    logit_bias: { 1: 2 },
    user: "u",
    store: true,
    metadata: { a: "b" },
    service_tier: "auto",
    safety_identifier: "s",
    prediction: {},
    verbosity: "low",
    prompt_cache_key: "p",
  };
  replyOf(await stage.chat(habits));
  for (const name of Object.keys(habits)) assert.equal(name in stage.lastSent(), false, name);
});

test("log probabilities are refused as unavailable", async () => {
  assertRefused(
    await stage.chat({ logprobs: true }),
    "logprobs: log probabilities are unavailable",
  );
  assertRefused(
    await stage.chat({ top_logprobs: 3 }),
    "top_logprobs: log probabilities are unavailable",
  );
  replyOf(await stage.chat({ logprobs: false }));
});

test("images reach a model that sees and are refused by one that does not", async () => {
  const url = "data:image/png;base64,iVBORw0KGgo=";
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url } },
  ];
  const messages = [{ role: "user", content }];
  replyOf(await stage.chat({ messages }, { model: MID }));
  assert.deepEqual(stage.lastSent().messages, messages);
  assertRefused(await stage.chat({ messages }), `messages[0].content[1]: ${SMALL} takes no images`);
});

test("max_tokens succeeds as another name of max_completion_tokens", async () => {
  replyOf(await stage.chat({ max_tokens: 9 }));
  assert.equal(stage.lastSent().max_tokens, 9);
  assertRefused(
    await stage.chat({ max_tokens: 5000 }),
    `max_tokens: 5000 is out of range: it must be between 1 and 4096 for ${SMALL}`,
  );
  assert.equal(
    errorOf(await stage.chat({ max_tokens: 5, max_completion_tokens: 6 })).message,
    "max_tokens: 5 differs from max_completion_tokens: 6; they are two names of one limit, give one",
  );
});

test("an unknown field is refused by its name unless allow_ignored_params is true", async () => {
  assertRefused(await stage.chat({ top_k: 5 }), "unrecognized request argument supplied: top_k");
  assertRefused(
    await stage.chat({ top_k: 5, allow_ignored_params: false }),
    "unrecognized request argument supplied: top_k",
  );
  replyOf(await stage.chat({ top_k: 5, allow_ignored_params: true }));
  assert.equal("top_k" in stage.lastSent(), false);
});
