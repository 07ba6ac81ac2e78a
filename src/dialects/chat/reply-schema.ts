// What POST /v1/chat/completions answers, whole and in chunks, as it is published. Tests hold
// the renderers to it.

import { Type } from "typebox";
import { ReasoningSchema } from "./message-schema.ts";

const FinishReason = Type.Enum(["stop", "length", "tool_calls"], {
  description: "Natural end, token limit reached, or tool calls made.",
});

const ToolCall = {
  id: Type.String({
    pattern: "^[a-zA-Z0-9_-]+$",
    description: "What the tool message with the result names.",
  }),
  type: Type.Literal("function"),
  function: Type.Object({
    name: Type.String(),
    arguments: Type.String({ description: "A JSON object, as text." }),
  }),
};

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ChatUsageSchema = Type.Object({
  prompt_tokens: Count("Tokens of the input, cached ones included."),
  completion_tokens: Count("Tokens of the output, thinking included."),
  total_tokens: Count("Both together."),
  prompt_tokens_details: Type.Optional(
    Type.Object({
      cached_tokens: Type.Optional(Count("Of the input, those read from a cache.")),
      cache_write_tokens: Type.Optional(Count("Of the input, those written to a cache.")),
    }),
  ),
  completion_tokens_details: Type.Optional(
    Type.Object({
      reasoning_tokens: Type.Optional(Count("Of the output, those spent thinking.")),
    }),
  ),
});

const head = {
  id: Type.String({ pattern: "^chatcmpl-", description: "Another one for every completion." }),
  created: Type.Integer({ description: "Unix timestamp." }),
  model: Type.String({ description: "The id that the request named." }),
  system_fingerprint: Type.String({ description: "What answered." }),
};

export const ChatReplySchema = Type.Object(
  {
    ...head,
    object: Type.Literal("chat.completion"),
    choices: Type.Array(
      Type.Object({
        index: Type.Literal(0),
        message: Type.Object({
          role: Type.Literal("assistant"),
          content: Type.String({ description: 'The generated text; "" beside tool calls alone.' }),
          refusal: Type.Null(),
          tool_calls: Type.Optional(Type.Array(Type.Object(ToolCall))),
          reasoning: Type.Optional(ReasoningSchema),
        }),
        logprobs: Type.Null(),
        finish_reason: FinishReason,
      }),
      { minItems: 1, maxItems: 1 },
    ),
    usage: ChatUsageSchema,
  },
  { description: "A chat completion." },
);

export const ChatChunkSchema = Type.Object(
  {
    ...head,
    object: Type.Literal("chat.completion.chunk"),
    choices: Type.Array(
      Type.Object({
        index: Type.Literal(0),
        delta: Type.Object({
          role: Type.Optional(Type.Literal("assistant")),
          content: Type.Optional(Type.String()),
          tool_calls: Type.Optional(
            Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), ...ToolCall }), {
              description: "One delta a call, with the whole arguments.",
            }),
          ),
          reasoning: Type.Optional(ReasoningSchema),
        }),
        finish_reason: Type.Optional(
          Type.Union([FinishReason, Type.Null()], { description: "Null while generating." }),
        ),
      }),
      { minItems: 1, maxItems: 1 },
    ),
    usage: Type.Optional(ChatUsageSchema),
  },
  { description: "One `data:` line of a streamed chat completion." },
);
