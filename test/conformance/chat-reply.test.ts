// Every field of a chat completion, as a caller gets it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { json } from "../support/mock-upstream-behaviours.ts";
import { openStage, replyOf, SMALL, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

/** An upstream's whole reply with one choice, or several. */
const completion = (...choices: readonly object[]) =>
  json({ choices, usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 } });

const said = (content: string, finish_reason: string) => ({
  index: 0,
  message: { role: "assistant", content },
  finish_reason,
});

test("a reply has all its fields and no others", async () => {
  stage.upstream.script(completion(said("Hi.", "stop")));
  const reply = replyOf(await stage.chat());
  assert.deepEqual(reply, {
    id: reply.id,
    object: "chat.completion",
    created: reply.created,
    model: SMALL,
    system_fingerprint: "fp_hearth",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hi.", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
  });
});

test("id is another one for every completion", async () => {
  const ids = [replyOf(await stage.chat()).id, replyOf(await stage.chat()).id];
  for (const id of ids) assert.match(id, /^chatcmpl-[0-9a-f-]{36}$/);
  assert.notEqual(ids[0], ids[1]);
});

test("object is chat.completion", async () => {
  assert.equal(replyOf(await stage.chat()).object, "chat.completion");
});

test("created is the Unix time of the reply in whole seconds", async () => {
  const before = Math.floor(Date.now() / 1000);
  const { created } = replyOf(await stage.chat());
  assert.ok(created >= before && created <= Date.now() / 1000, `${created}`);
});

test("model is the id that was asked for, whatever the upstream calls it", async () => {
  stage.upstream.script(
    json({ model: "Qwen/Qwen3-8B", choices: [said("Hi.", "stop")], usage: {} }),
  );
  assert.equal(replyOf(await stage.chat()).model, SMALL);
});

test("choices has exactly one element of index 0, also when more were asked for or came", async () => {
  stage.upstream.script(completion(said("One.", "stop"), { ...said("Two.", "stop"), index: 1 }));
  const { choices } = replyOf(await stage.chat({ n: 2 }));
  assert.equal(choices.length, 1);
  assert.equal(choices[0]?.index, 0);
  assert.equal(choices[0]?.message.content, "One.");
});

test("message has the role assistant and the generated text as content", async () => {
  const { message } = replyOf(await stage.chat()).choices[0] ?? {};
  assert.equal(message?.role, "assistant");
  assert.equal(message?.content, "Hello there");
});

test("tool_calls has the name and the arguments as JSON text, beside content that is a string", async () => {
  const { message } = replyOf(await stage.chat({ tools: [weather] })).choices[0] ?? {};
  assert.equal(message?.content, "");
  assert.equal(message?.tool_calls?.length, 1);
  const [call] = message?.tool_calls ?? [];
  assert.equal(call?.type, "function");
  assert.equal(call?.function.name, "get_weather");
  assert.deepEqual(JSON.parse(call?.function.arguments ?? ""), { city: "text" });
  const plain = replyOf(await stage.chat()).choices[0]?.message;
  assert.equal(plain !== undefined && "tool_calls" in plain, false);
});

test("a tool call and its result, sent back, are a conversation", async () => {
  const first = replyOf(await stage.chat({ tools: [weather] })).choices[0]?.message;
  const [call] = first?.tool_calls ?? [];
  const messages = [
    { role: "user", content: "Weather?" },
    first,
    { role: "tool", tool_call_id: call?.id, content: "Sunny" },
  ];
  replyOf(await stage.chat({ messages, tools: [weather], tool_choice: "auto" }));
  assert.deepEqual(stage.lastSent().messages, [
    messages[0],
    { role: "assistant", content: null, tool_calls: first?.tool_calls },
    messages[2],
  ]);
});

test("finish_reason is stop at a natural end", async () => {
  assert.equal(replyOf(await stage.chat()).choices[0]?.finish_reason, "stop");
});

test("finish_reason is length, with status 200, where the output was cut", async () => {
  stage.upstream.script(completion(said("Once upon", "length")));
  const [choice] = replyOf(await stage.chat({ max_completion_tokens: 2 })).choices;
  assert.equal(choice?.finish_reason, "length");
  assert.equal(choice?.message.content, "Once upon");
});

test("finish_reason is tool_calls where the model made calls", async () => {
  const [choice] = replyOf(await stage.chat({ tools: [weather] })).choices;
  assert.equal(choice?.finish_reason, "tool_calls");
});

test("usage counts prompt, completion and their total", async () => {
  stage.upstream.script(completion(said("Hi.", "stop")));
  const { usage } = replyOf(await stage.chat());
  assert.equal(usage.prompt_tokens, 11);
  assert.equal(usage.completion_tokens, 5);
  assert.equal(usage.total_tokens, 16);
});

test("usage is there, as an estimate, where the upstream gives none", async () => {
  stage.upstream.script(json({ choices: [said("Hello you", "stop")] }));
  const { usage } = replyOf(await stage.chat());
  assert.ok(usage.prompt_tokens > 0);
  assert.ok(usage.completion_tokens > 0);
  assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
});

test("a reply says how long Hearth and the engine took", async () => {
  const { headers } = await stage.chat();
  assert.match(`${headers["server-timing"]}`, /^hearth;dur=\d+\.\d{3}, engine;dur=\d+\.\d{3}$/);
});
