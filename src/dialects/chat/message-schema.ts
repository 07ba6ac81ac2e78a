// The messages of a chat request. Clients send a reply's message back as it came, so fields
// that are not listed (annotations, audio, function_call, name, …) are tolerated and dropped.

import { type Static, Type } from "typebox";
import { optionalField } from "../optional-field.ts";

const MOST_PARTS = 10_000;
const MOST_CALLS = 1024;
const MOST_NAME_CHARACTERS = 1024;

const TextPartSchema = Type.Object({ type: Type.Literal("text"), text: Type.String() });

const ImagePartSchema = Type.Object({
  type: Type.Literal("image_url"),
  image_url: Type.Object({
    url: Type.String({
      description: "https://… or data:image/png;base64,… (png, jpeg, gif or webp).",
    }),
  }),
});

const RefusalPartSchema = Type.Object({ type: Type.Literal("refusal"), refusal: Type.String() });

const TextContentSchema = Type.Union([
  Type.String(),
  Type.Array(TextPartSchema, { maxItems: MOST_PARTS }),
]);

const SystemMessageSchema = Type.Object(
  { role: Type.Enum(["system", "developer"]), content: TextContentSchema },
  { description: "Instructions. `developer` means the same as `system`." },
);

const UserMessageSchema = Type.Object({
  role: Type.Literal("user"),
  content: Type.Union([
    Type.String(),
    Type.Array(Type.Union([TextPartSchema, ImagePartSchema]), {
      minItems: 1,
      maxItems: MOST_PARTS,
    }),
  ]),
});

const ToolCallSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: MOST_NAME_CHARACTERS }),
  type: optionalField(Type.Literal("function")),
  function: Type.Object({
    name: Type.String({ minLength: 1, maxLength: MOST_NAME_CHARACTERS }),
    arguments: Type.String({ description: "A JSON object, as text." }),
  }),
});

const ReasoningBlockSchema = Type.Union([
  Type.Object({
    type: Type.Literal("thinking"),
    thinking: Type.String(),
    signature: optionalField(Type.String()),
  }),
  Type.Object({ type: Type.Literal("redacted_thinking"), data: Type.String() }),
]);

export const ReasoningSchema = Type.Object(
  {
    thinking: Type.String({ description: "The whole reasoning trace." }),
    signature: optionalField(Type.String(), {
      description: "Proves to the model, in history, that the trace is its own.",
    }),
    blocks: optionalField(Type.Array(ReasoningBlockSchema, { maxItems: MOST_PARTS }), {
      description:
        "The trace in its parts: where it is more than one thinking block, and at the end of a stream. In history it counts instead of `thinking` and `signature`.",
    }),
  },
  { description: "Sent back in history, it reaches the model unchanged." },
);

const AssistantMessageSchema = Type.Object({
  role: Type.Literal("assistant"),
  content: optionalField(
    Type.Union([
      Type.String(),
      Type.Array(Type.Union([TextPartSchema, RefusalPartSchema]), { maxItems: MOST_PARTS }),
    ]),
    { description: "May be null where there are tool_calls." },
  ),
  refusal: optionalField(Type.String()),
  tool_calls: optionalField(Type.Array(ToolCallSchema, { maxItems: MOST_CALLS })),
  reasoning: optionalField(ReasoningSchema),
});

const ToolMessageSchema = Type.Object({
  role: Type.Literal("tool"),
  tool_call_id: Type.String({ description: "The id of a call in the assistant message before." }),
  content: TextContentSchema,
});

export const MessageSchema = Type.Union([
  SystemMessageSchema,
  UserMessageSchema,
  AssistantMessageSchema,
  ToolMessageSchema,
]);

export type ChatMessage = Static<typeof MessageSchema>;
export type ChatSystemMessage = Static<typeof SystemMessageSchema>;
export type ChatUserMessage = Static<typeof UserMessageSchema>;
export type ChatAssistantMessage = Static<typeof AssistantMessageSchema>;
export type ChatToolMessage = Static<typeof ToolMessageSchema>;
export type ChatToolCall = Static<typeof ToolCallSchema>;
export type ChatReasoning = Static<typeof ReasoningSchema>;
export type ChatReasoningBlock = Static<typeof ReasoningBlockSchema>;
export type ChatTextContent = Static<typeof TextContentSchema>;
