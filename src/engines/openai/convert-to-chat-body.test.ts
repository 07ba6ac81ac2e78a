import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTestCall } from "../../../test/support/mock-upstream-caller.ts";
import type { Call } from "../../call/index.ts";
import type { OpenAiEngineConfig } from "../../config/index.ts";
import { convertToChatBody, createChatBodyProfile } from "./convert-to-chat-body.ts";

const ENGINE: OpenAiEngineConfig = { type: "openai", base_url: "http://127.0.0.1:8000/v1" };

function convert(call: Partial<Call>, engine: Partial<OpenAiEngineConfig> = {}) {
  const profile = createChatBodyProfile({ ...ENGINE, ...engine }, "public-id");
  return JSON.parse(convertToChatBody(createTestCall(call), profile));
}

describe("the body of a chat request", () => {
  test("carries model, sampling and output cap, and nothing that was not asked for", () => {
    assert.deepEqual(convert({}), {
      model: "public-id",
      messages: [{ role: "user", content: "Hello" }],
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 100,
      stream: false,
    });
  });

  test("asks for usage when it streams", () => {
    assert.deepEqual(convert({ stream: true }).stream_options, { include_usage: true });
  });

  test("names the model and the cap as the upstream wants them", () => {
    const vendor = convert({}, { base_url: "https://api.openai.com/v1", model: "gpt-x" });
    assert.equal(vendor.model, "gpt-x");
    assert.equal(vendor.max_completion_tokens, 100);
    assert.equal("max_tokens" in vendor, false);
    const set = convert({}, { output_cap_field: "max_completion_tokens" });
    assert.equal(set.max_completion_tokens, 100);
  });

  test("sends top_k and stop only where they are set", () => {
    const body = convert({
      sampling: { temperature: 0, topP: 1, topK: 40, stop: ["END", "STOP"] },
    });
    assert.equal(body.top_k, 40);
    assert.deepEqual(body.stop, ["END", "STOP"]);
    assert.equal(body.temperature, 0);
  });

  test("sends tools, choice and the wish for single calls", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tools = [{ name: "weather", description: "Says it", parameters, strict: true }];
    const body = convert({
      tools,
      toolChoice: { type: "named", name: "weather" },
      parallelToolCalls: false,
    });
    assert.deepEqual(body.tools, [
      {
        type: "function",
        function: { name: "weather", description: "Says it", parameters, strict: true },
      },
    ]);
    assert.deepEqual(body.tool_choice, { type: "function", function: { name: "weather" } });
    assert.equal(body.parallel_tool_calls, false);
    assert.equal(convert({ tools, toolChoice: { type: "required" } }).tool_choice, "required");
  });

  test("says nothing of tool choice where there are no tools", () => {
    const body = convert({ toolChoice: { type: "none" }, parallelToolCalls: false });
    assert.equal("tool_choice" in body, false);
    assert.equal("parallel_tool_calls" in body, false);
  });

  test("asks for JSON, with or without a schema", () => {
    assert.deepEqual(convert({ format: { type: "json" } }).response_format, {
      type: "json_object",
    });
    const schema = { type: "object" };
    assert.deepEqual(
      convert({ format: { type: "json_schema", name: "answer", schema, strict: true } })
        .response_format,
      { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
    );
  });

  test("turns a thinking budget into the effort it came from", () => {
    const effort = (budgetTokens: number) =>
      convert({ thinking: { budgetTokens } }).reasoning_effort;
    assert.deepEqual([1024, 2048, 4096, 6144, 8191, 32_000].map(effort), [
      "low",
      "low",
      "medium",
      "medium",
      "high",
      "high",
    ]);
    assert.equal("reasoning_effort" in convert({}), false);
  });

  test("switches thinking on and off in the template where the engine says so", () => {
    const engine = { thinking: "enable_thinking" } as const;
    assert.deepEqual(convert({}, engine).chat_template_kwargs, { enable_thinking: false });
    const thinking = { budgetTokens: 1024 };
    assert.deepEqual(convert({ thinking }, engine).chat_template_kwargs, { enable_thinking: true });
    const silent = convert({ thinking }, { thinking: "none" });
    assert.equal("reasoning_effort" in silent || "chat_template_kwargs" in silent, false);
  });

  test("lays the engine's own fields over ours, and joins template settings", () => {
    const body = convert(
      {},
      {
        thinking: "enable_thinking",
        body: { temperature: 1, seed: 7, chat_template_kwargs: { builtin_tools: [] } },
      },
    );
    assert.equal(body.temperature, 1);
    assert.equal(body.seed, 7);
    assert.deepEqual(body.chat_template_kwargs, { enable_thinking: false, builtin_tools: [] });
    const engine = { body: { stream_options: { continuous_usage_stats: true } } };
    assert.deepEqual(convert({ stream: true }, engine).stream_options, {
      include_usage: true,
      continuous_usage_stats: true,
    });
    assert.equal("stream_options" in convert({}, engine), false);
  });
});
