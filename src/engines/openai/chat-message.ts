// The messages of the OpenAI chat convention, as far as we write them.

export type ChatContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export type ChatToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

/** OpenRouter's record of one piece of thinking, which keeps signatures and ciphertext. */
export type ChatReasoningDetail =
  | { readonly type: "reasoning.text"; readonly text: string; readonly signature?: string }
  | { readonly type: "reasoning.encrypted"; readonly data: string };

export type ChatAssistantMessage = {
  readonly role: "assistant";
  content: string | null;
  tool_calls?: readonly ChatToolCall[];
  reasoning_content?: string;
  reasoning?: string;
  reasoning_details?: readonly ChatReasoningDetail[];
};

export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ChatContentPart[] }
  | ChatAssistantMessage
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export type ReplayField = "reasoning_content" | "reasoning" | "none";
