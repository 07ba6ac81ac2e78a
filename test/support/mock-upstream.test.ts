import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { type MockUpstream, startMockUpstream } from "./mock-upstream.ts";
import { status } from "./mock-upstream-behaviours.ts";

describe("the mock upstream", () => {
  let upstream: MockUpstream;
  let client: OpenAI;

  before(async () => {
    upstream = await startMockUpstream();
    client = new OpenAI({ baseURL: upstream.url, apiKey: "k", maxRetries: 0 });
  });
  after(() => upstream.close());

  const messages = [{ role: "user" as const, content: "one two  three" }];
  const schema = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
  };

  test("echoes the last user message, whole and streamed, to a real client", async () => {
    const whole = await client.chat.completions.create({ model: "m", messages });
    assert.equal(whole.choices[0]?.message.content, "one two  three");
    assert.ok((whole.usage?.total_tokens ?? 0) > 0);
    const stream = client.chat.completions.stream({ model: "m", messages });
    assert.equal(await stream.finalContent(), "one two  three");
    assert.equal(upstream.requests.at(-1)?.body.stream, true);
  });

  test("calls a forced tool with arguments of its schema's shape", async () => {
    const tools = [{ type: "function" as const, function: { name: "trip", parameters: schema } }];
    const request = { model: "m", messages, tools, tool_choice: "required" as const };
    const whole = await client.chat.completions.create(request);
    const [call] = whole.choices[0]?.message.tool_calls ?? [];
    assert.ok(call?.type === "function");
    assert.deepEqual(JSON.parse(call.function.arguments), { city: "text", days: 1 });
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    assert.equal(streamed.choices[0]?.finish_reason, "tool_calls");
  });

  test("answers in JSON where it is asked to", async () => {
    const reply = await client.chat.completions.create({
      model: "m",
      messages,
      response_format: { type: "json_schema", json_schema: { name: "trip", schema } },
    });
    assert.deepEqual(JSON.parse(reply.choices[0]?.message.content ?? ""), {
      city: "text",
      days: 1,
    });
  });

  test("does what it is told for the next request only", async () => {
    upstream.script(status(418, { error: { message: "teapot" } }));
    const refused = client.chat.completions.create({ model: "m", messages });
    await assert.rejects(refused, { status: 418 });
    await client.chat.completions.create({ model: "m", messages });
  });

  test("lists its models", async () => {
    assert.deepEqual(
      (await client.models.list()).data.map(({ id }) => id),
      ["mock-model"],
    );
  });
});
