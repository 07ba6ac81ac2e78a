// The inner call: what one inference asks for, in nobody's wire format. Every dialect
// makes one and every engine takes one, so N dialects and M engines need N + M
// translators. Plain data, no behaviour.

export type TextPart = { readonly type: "text"; readonly text: string };

export type ImagePart = {
  readonly type: "image";
  readonly source:
    | { readonly type: "url"; readonly url: string }
    | { readonly type: "base64"; readonly mediaType: string; readonly data: string };
};

/** `signature` may be present with empty text, and must then survive a round trip too. */
export type ThinkingPart = {
  readonly type: "thinking";
  readonly text: string;
  readonly signature?: string;
};

export type RedactedThinkingPart = { readonly type: "redacted_thinking"; readonly data: string };

/** `arguments` stays the JSON text the model wrote: re-encoding it would lose its exact bytes. */
export type ToolCallPart = {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
};

export type ToolResultPart = {
  readonly type: "tool_result";
  readonly callId: string;
  readonly parts: readonly (TextPart | ImagePart)[];
  readonly isError: boolean;
};

export type SystemMessage = { readonly role: "system"; readonly parts: readonly TextPart[] };
export type UserMessage = {
  readonly role: "user";
  readonly parts: readonly (TextPart | ImagePart)[];
};
export type AssistantMessage = {
  readonly role: "assistant";
  readonly parts: readonly (TextPart | ThinkingPart | RedactedThinkingPart | ToolCallPart)[];
};
/** All results that answer one assistant message's calls, in the order they were given. */
export type ToolMessage = { readonly role: "tool"; readonly parts: readonly ToolResultPart[] };

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export type JsonSchema = { readonly [keyword: string]: unknown };

export type Tool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonSchema;
  readonly strict?: boolean;
};

export type ToolChoice =
  | { readonly type: "none" }
  | { readonly type: "auto" }
  | { readonly type: "required" }
  | { readonly type: "named"; readonly name: string };

export type Format =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
      readonly type: "json_schema";
      readonly name: string;
      readonly schema: JsonSchema;
      readonly strict?: boolean;
    };

export type Sampling = {
  readonly temperature: number;
  readonly topP: number;
  readonly topK?: number;
  readonly stop: readonly string[];
};

export type Call = {
  /** The request id: ties logs, traces and upstream requests together. */
  readonly id: string;
  /** W3C trace context to pass on upstream, where the request is traced. */
  readonly traceparent?: string;
  /** The public model id the caller named. */
  readonly model: string;
  /** The resource that calls. Cached prompts are kept apart by it. */
  readonly caller: string;
  /** The system prompt that opens the conversation: with `tools` it is the cacheable prefix. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly sampling: Sampling;
  /** Thinking included. Always set: the caller's cap, or the model's own maximum. */
  readonly maxOutputTokens: number;
  readonly thinking?: { readonly budgetTokens: number };
  readonly format: Format;
  /** False when the caller opted out of prompt caching for this request. */
  readonly promptCaching: boolean;
  readonly stream: boolean;
};
