// The body of POST /v1/chat/completions: every field with its range, as it is checked and as
// it is published. What depends on the model is checked when the call is made.

import { type Static, Type } from "typebox";
import { optionalField } from "../optional-field.ts";
import { MessageSchema } from "./message-schema.ts";

const MOST_MESSAGES = 100_000;
const MOST_TOOLS = 1024;
const MOST_STOPS = 16;

const FunctionName = Type.String({
  pattern: "^[a-zA-Z0-9_-]{1,64}$",
  "x-expected": "1 to 64 letters, digits, underscores or hyphens",
});

const Stop = Type.String({ minLength: 1, maxLength: 256 });

const Cap = Type.Integer({ minimum: 1 });

const ToolSchema = Type.Object({
  type: Type.Literal("function"),
  function: Type.Object({
    name: FunctionName,
    description: optionalField(Type.String(), { description: "What the tool does." }),
    parameters: optionalField(
      Type.Object({
        type: Type.Optional(Type.Literal("object")),
        properties: Type.Optional(Type.Object({})),
        required: Type.Optional(Type.Array(Type.String())),
      }),
      { description: "JSON Schema of the arguments; default: no arguments." },
    ),
    strict: optionalField(Type.Boolean(), {
      description: "Hold the arguments to the schema, where the engine can.",
    }),
  }),
});

const NamedToolSchema = Type.Object({
  type: Type.Literal("function"),
  function: Type.Object({ name: Type.String() }),
});

const ThinkingSchema = Type.Object({
  enabled: Type.Boolean({ description: "Turns extended thinking on." }),
  budget_tokens: optionalField(Type.Integer({ minimum: 1024 }), {
    description: "Most tokens spent thinking; the maximum depends on the model.",
    default: 1024,
  }),
  include_reasoning: optionalField(Type.Boolean(), {
    description: "Return the reasoning trace in the message.",
    default: false,
  }),
});

const FormatSchema = Type.Union([
  Type.Object({ type: Type.Literal("text") }),
  Type.Object({ type: Type.Literal("json_object") }),
  Type.Object({
    type: Type.Literal("json_schema"),
    json_schema: Type.Object({
      name: FunctionName,
      schema: Type.Object({}),
      strict: optionalField(Type.Boolean()),
    }),
  }),
]);

const Ignored = Type.Optional(Type.Unknown({ description: "Accepted and ignored." }));
const Unavailable = Type.Optional(
  Type.Unknown({ description: "Log probabilities are unavailable: absent, null or false only." }),
);

export const ChatRequestSchema = Type.Object(
  {
    model: Type.String({ minLength: 1, description: "A chat model provisioned for the key." }),
    messages: Type.Array(MessageSchema, {
      minItems: 1,
      maxItems: MOST_MESSAGES,
      description: "The conversation so far.",
    }),
    max_completion_tokens: optionalField(Cap, {
      description:
        "Most tokens generated, thinking included: at most 4096 on small-tier, 8192 on mid-tier models. Default: that maximum.",
    }),
    max_tokens: optionalField(Cap, { description: "Another name of max_completion_tokens." }),
    temperature: optionalField(Type.Number({ minimum: 0, maximum: 1 }), {
      description: "How freely the next token is chosen.",
      default: 1,
    }),
    top_p: optionalField(Type.Number({ minimum: 0, maximum: 1 }), {
      description: "Nucleus sampling threshold.",
      default: 0.999,
    }),
    stream: optionalField(Type.Boolean(), {
      description: "Answer with a server-sent event stream.",
      default: false,
    }),
    stream_options: optionalField(Type.Object({}), {
      description: "Accepted; every stream ends with its usage.",
    }),
    stop: optionalField(Type.Union([Stop, Type.Array(Stop, { maxItems: MOST_STOPS })]), {
      description: "Generation stops when one of these strings is met.",
    }),
    tools: optionalField(Type.Array(ToolSchema, { maxItems: MOST_TOOLS }), {
      description: "Tools the model may call.",
    }),
    tool_choice: optionalField(
      Type.Union([Type.Enum(["none", "auto", "required"]), NamedToolSchema]),
      { description: "Default: required where tools are given, none where not." },
    ),
    parallel_tool_calls: optionalField(Type.Boolean(), {
      description: "Whether one message may hold several tool calls.",
      default: true,
    }),
    extended_thinking: optionalField(ThinkingSchema, {
      description: "Lets the model think before it answers, on models that can.",
    }),
    reasoning_effort: optionalField(
      Type.Enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
      {
        description:
          "A thinking budget by name, on models that think; ignored on others, and where extended_thinking is given.",
      },
    ),
    response_format: optionalField(FormatSchema, {
      description: "`json_object` turns on JSON mode; `json_schema` asks for JSON of that schema.",
    }),
    allow_ignored_params: optionalField(Type.Boolean(), {
      description: "Ignore unsupported parameters instead of refusing the request.",
      default: false,
    }),
    logprobs: Unavailable,
    top_logprobs: Unavailable,
    seed: Ignored,
    n: Ignored,
    presence_penalty: Ignored,
    frequency_penalty: Ignored,
    logit_bias: Ignored,
    user: Ignored,
    store: Ignored,
    metadata: Ignored,
    service_tier: Ignored,
    safety_identifier: Ignored,
    prediction: Ignored,
    verbosity: Ignored,
    prompt_cache_key: Ignored,
  },
  { additionalProperties: false, description: "A chat completion request." },
);

export type ChatRequest = Static<typeof ChatRequestSchema>;
export type ChatTool = Static<typeof ToolSchema>;
