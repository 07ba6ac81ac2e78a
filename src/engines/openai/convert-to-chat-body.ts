// The inner call as the body of an upstream's chat request. One plain object and one
// JSON.stringify: on the path of every call, and faster than anything cleverer.

import { hash } from "node:crypto";
import type { Call, Format, ToolChoice } from "../../call/index.ts";
import type { OpenAiEngineConfig } from "../../config/index.ts";
import type { ReplayField } from "./chat-message.ts";
import { convertToChatMessages } from "./convert-to-chat-messages.ts";
import { mapReasoningEffort } from "./map-reasoning-effort.ts";
import { asRecord } from "./read-json.ts";

/** What of an engine's configuration shapes its bodies, with the defaults filled in. */
export type ChatBodyProfile = {
  readonly model: string;
  readonly outputCapField: "max_tokens" | "max_completion_tokens";
  readonly thinking: "reasoning_effort" | "enable_thinking" | "none";
  readonly replay: ReplayField;
  readonly cacheSalt: boolean;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
};

export function createChatBodyProfile(engine: OpenAiEngineConfig, modelId: string) {
  const profile: ChatBodyProfile = {
    model: engine.model ?? modelId,
    // OpenAI refuses the old name on its thinking models; most others know only that one.
    outputCapField:
      engine.output_cap_field ??
      (new URL(engine.base_url).hostname === "api.openai.com"
        ? "max_completion_tokens"
        : "max_tokens"),
    thinking: engine.thinking ?? "reasoning_effort",
    replay: engine.replay_reasoning ?? "none",
    cacheSalt: engine.cache_salt ?? false,
    extra: engine.body,
  };
  return profile;
}

export function convertToChatBody(call: Call, profile: ChatBodyProfile): string {
  const { sampling } = call;
  const body: Record<string, unknown> = {
    model: profile.model,
    messages: convertToChatMessages(call, profile.replay),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    [profile.outputCapField]: call.maxOutputTokens,
    stream: call.stream,
  };
  if (call.stream) body.stream_options = INCLUDE_USAGE;
  if (sampling.topK !== undefined) body.top_k = sampling.topK;
  if (sampling.stop.length > 0) body.stop = sampling.stop;
  if (call.tools.length > 0) addTools(call, body);
  if (call.format.type !== "text") body.response_format = convertFormat(call.format);
  addThinking(call, profile, body);
  // The upstream's prefix cache then answers no caller faster for what another one sent.
  if (profile.cacheSalt) body.cache_salt = hash("sha256", call.caller, "base64url");
  if (profile.extra !== undefined) layOver(profile.extra, body);
  return JSON.stringify(body);
}

const INCLUDE_USAGE = { include_usage: true };

function addTools(call: Call, body: Record<string, unknown>): void {
  body.tools = call.tools.map((tool) => ({
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      strict: tool.strict,
    },
  }));
  body.tool_choice = convertToolChoice(call.toolChoice);
  // True is every upstream's default, and some models refuse to hear of it at all.
  if (!call.parallelToolCalls) body.parallel_tool_calls = false;
}

function convertToolChoice(choice: ToolChoice): unknown {
  return choice.type === "named"
    ? { type: "function", function: { name: choice.name } }
    : choice.type;
}

function convertFormat(format: Exclude<Format, { readonly type: "text" }>): unknown {
  if (format.type === "json") return { type: "json_object" };
  const { name, schema, strict } = format;
  return { type: "json_schema", json_schema: { name, schema, strict } };
}

function addThinking(call: Call, profile: ChatBodyProfile, body: Record<string, unknown>): void {
  if (profile.thinking === "enable_thinking") {
    body.chat_template_kwargs = { enable_thinking: call.thinking !== undefined };
  } else if (profile.thinking === "reasoning_effort" && call.thinking !== undefined) {
    body.reasoning_effort = mapReasoningEffort(call.thinking.budgetTokens);
  }
}

function layOver(extra: Readonly<Record<string, unknown>>, body: Record<string, unknown>): void {
  const { stream_options: options, chat_template_kwargs: settings } = body;
  Object.assign(body, extra);
  // The two fields that both sides write pieces of.
  if (settings !== undefined)
    body.chat_template_kwargs = join(settings, extra.chat_template_kwargs);
  // Without a stream every server refuses them.
  body.stream_options = options === undefined ? undefined : join(options, extra.stream_options);
}

const join = (ours: unknown, theirs: unknown): unknown => ({
  ...asRecord(ours),
  ...asRecord(theirs),
});
