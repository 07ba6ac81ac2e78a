// The event stream of a chat completion, byte for byte, and every field of its chunks.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { request } from "undici";
import { dieAfter, frames } from "../support/mock-upstream-behaviours.ts";
import { reply } from "../support/mock-upstream-reply.ts";
import {
  type Answer,
  bearer,
  CHAT,
  chunksOf,
  errorOf,
  hello,
  JSON_TYPE,
  openStage,
  SMALL,
  type Stage,
} from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

const streamed = (fields: object = {}): Promise<Answer> => stage.chat({ ...fields, stream: true });

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const upstreamChunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

test("a stream is written byte for byte as documented", async () => {
  stage.upstream.script(
    frames(
      upstreamChunk({ role: "assistant", content: "" }),
      upstreamChunk({ content: "Hi" }),
      upstreamChunk({ content: ' "you"\n' }),
      upstreamChunk({}, "stop"),
      { choices: [], usage },
    ),
  );
  const answer = await streamed();
  const [{ id, created } = { id: "", created: 0 }] = chunksOf(answer);
  const head = `data: {"id":"${id}","object":"chat.completion.chunk","created":${created},"model":"${SMALL}","system_fingerprint":"fp_hearth","choices":[{"index":0,"delta":`;
  assert.equal(
    answer.text,
    `${head}{"role":"assistant","content":"Hi"},"finish_reason":null}]}\n\n` +
      `${head}{"content":" \\"you\\"\\n"},"finish_reason":null}]}\n\n` +
      `${head}{},"finish_reason":"stop"}]}\n\n` +
      `${head}{}}],"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}}\n\n` +
      "event: done\ndata: [DONE]\n\n",
  );
});

test("a stream is text/event-stream that nobody on the way may cache or hold back", async () => {
  const { headers } = await streamed();
  assert.equal(headers["content-type"], "text/event-stream");
  assert.equal(headers["cache-control"], "no-cache");
  assert.equal(headers["x-accel-buffering"], "no");
});

test("a stream ends with the line data: [DONE]", async () => {
  assert.ok((await streamed()).text.endsWith("\ndata: [DONE]\n\n"));
});

test("chunks have one id, one time and one model, and the chunk object", async () => {
  const before = Math.floor(Date.now() / 1000);
  const chunks = chunksOf(await streamed());
  const [first] = chunks;
  assert.match(first?.id ?? "", /^chatcmpl-[0-9a-f-]{36}$/);
  assert.ok(first && first.created >= before && first.created <= Date.now() / 1000);
  for (const chunk of chunks) {
    assert.equal(chunk.id, first.id);
    assert.equal(chunk.object, "chat.completion.chunk");
    assert.equal(chunk.created, first.created);
    assert.equal(chunk.model, SMALL);
  }
});

test("chunks have one choice of index 0", async () => {
  for (const { choices } of chunksOf(await streamed())) {
    assert.equal(choices.length, 1);
    assert.equal(choices[0]?.index, 0);
  }
});

test("the first delta has the role and a piece of content, later ones have content", async () => {
  const deltas = chunksOf(await streamed()).map(({ choices }) => choices[0]?.delta);
  assert.deepEqual(deltas, [
    { role: "assistant", content: "Hello" },
    { content: " there" },
    {},
    {},
  ]);
});

test("finish_reason is null while generating and then says why it ended", async () => {
  const reasons = chunksOf(await streamed()).map(({ choices }) => choices[0]?.finish_reason);
  assert.deepEqual(reasons, [null, null, "stop", undefined]);
  stage.upstream.script(
    frames(upstreamChunk({ content: "Once" }), upstreamChunk({}, "length"), { choices: [], usage }),
  );
  const cut = chunksOf(await streamed()).map(({ choices }) => choices[0]?.finish_reason);
  assert.deepEqual(cut, [null, "length", undefined]);
});

test("a tool call is one delta with index, id, type, name and whole arguments", async () => {
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
  const chunks = chunksOf(await streamed({ tools }));
  assert.deepEqual(
    chunks.map(({ choices }) => choices[0]?.delta),
    [
      { role: "assistant", content: "" },
      {
        tool_calls: [
          {
            index: 0,
            id: "call_mock_1",
            type: "function",
            function: { name: "get_weather", arguments: '{"city":"text"}' },
          },
        ],
      },
      {},
      {},
    ],
  );
  assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, "tool_calls");
});

test("the last chunk counts the tokens, whether stream_options ask for it or not", async () => {
  for (const stream_options of [undefined, { include_usage: true }, { include_usage: false }]) {
    const chunks = chunksOf(await streamed({ stream_options }));
    const last = chunks.at(-1)?.usage;
    assert.equal(last?.total_tokens, (last?.prompt_tokens ?? 0) + (last?.completion_tokens ?? 0));
    for (const { usage } of chunks.slice(0, -1)) assert.equal(usage, undefined);
  }
});

test("a stream that fails before its first byte is an error with a status of its own", async () => {
  stage.upstream.script(frames({ error: { message: "prompt is too long", code: 400 } }));
  const answer = await streamed();
  assert.equal(answer.headers["content-type"], "application/json");
  assert.equal(errorOf(answer).code, answer.status);
  assert.ok(answer.status >= 400);
});

test("a stream that fails later says so in one frame and has no [DONE]", async () => {
  stage.upstream.script(dieAfter(`data: ${JSON.stringify(upstreamChunk({ content: "Hi" }))}\n\n`));
  const answer = await streamed();
  assert.equal(answer.status, 200);
  const [first, last, ...rest] = answer.text.split("\n\n");
  assert.match(first ?? "", /^data: \{"id":"chatcmpl-.*"content":"Hi"/);
  assert.match(
    last ?? "",
    /^data: \{"error":\{"code":502,"message":".+","type":"server_error","request_id":"[0-9a-f-]{36}"\}\}$/,
  );
  assert.deepEqual(rest, [""]);
});

test("silence in a stream is broken by comments that are no event", async (context) => {
  const restless = await openStage({ http: { ping_interval: "1ms" } });
  context.after(() => restless.stop());
  const word = Promise.withResolvers<void>();
  let words = 0;
  const pausing = reply({
    beforeWord: () => {
      words += 1;
      return words === 3 ? word.promise : Promise.resolve();
    },
  });
  restless.upstream.script(pausing);
  const { body } = await request(restless.hearth.url + CHAT, {
    method: "POST",
    headers: { ...bearer(await restless.key(SMALL)), ...JSON_TYPE },
    body: JSON.stringify({ model: SMALL, messages: [hello], stream: true }),
  });
  let text = "";
  for await (const piece of body.setEncoding("utf8")) {
    text += piece;
    if (text.includes(": ping\n\n")) word.resolve();
  }
  const events = text.replaceAll(": ping\n\n", "");
  chunksOf({ status: 200, headers: {}, text: events });
});
