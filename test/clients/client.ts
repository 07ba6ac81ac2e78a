// What the suite knows of a client library: it asks, it streams, and it explains its errors.
// Every library is hidden behind an adapter of this shape, so that a behaviour is written once
// and has to hold for all of them.

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** Parsed: that the library, or JSON.parse, could read them is part of every tool test. */
  readonly arguments: unknown;
};

export type Turn =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly image?: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly call: ToolCall; readonly text: string };

export type ToolSpec = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
};

export type Ask = {
  /** Default: the small model. */
  readonly model?: string;
  readonly messages: string | readonly Turn[];
  readonly tools?: readonly ToolSpec[];
  /** Default: whatever the library does when nothing is said. */
  readonly toolChoice?: "none" | "auto" | "required" | { readonly name: string };
  readonly format?:
    | { readonly type: "json" }
    | { readonly type: "schema"; readonly name: string; readonly schema: Record<string, unknown> };
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Sent as `extended_thinking`, which no library knows by itself. */
  readonly thinking?: { readonly budgetTokens: number; readonly show: boolean };
  readonly effort?: "low" | "medium" | "high";
  readonly signal?: AbortSignal;
};

export type Counts = {
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  readonly total: number | undefined;
  readonly cached: number | undefined;
  readonly reasoning: number | undefined;
};

export type Answer = {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly text: string;
  /** As on the wire: stop, length, tool_calls. */
  readonly finishReason: string | undefined;
  readonly calls: readonly ToolCall[];
  readonly reasoning: string;
  readonly usage: Counts;
  /** As the library hands it out. */
  readonly requestId: string | undefined;
  header(name: string): string | undefined;
};

export type StreamedAnswer = Answer & {
  readonly pieces: readonly string[];
  /** Every finish reason that came, so that a second one would be seen. */
  readonly finishReasons: readonly string[];
};

export type Refusal = {
  /** The class of the library's error. */
  readonly kind:
    | "authentication"
    | "permission"
    | "rate_limit"
    | "bad_request"
    | "server"
    | "stream"
    | "other";
  readonly status: number | undefined;
  /** The service's own words, without what the library puts around them. */
  readonly message: string;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  header(name: string): string | undefined;
};

export interface Client {
  ask(ask: Ask): Promise<Answer>;
  /** Rejects when the library reports an error of the stream, however it does that. */
  stream(ask: Ask, onPiece?: (text: string) => void): Promise<StreamedAnswer>;
  explain(error: unknown): Refusal;
}

export type Access = {
  /** Up to and including the version. */
  readonly baseUrl: string;
  readonly key: string;
  /** The library's own retries. */
  readonly retries: number;
};

export type Library = {
  readonly name: string;
  /** What the library itself sends where the caller chose nothing; undefined: nothing. */
  readonly sendsToolChoice: "auto" | undefined;
  /** Undefined: it shows the reasoning; otherwise why it cannot. */
  readonly hidesReasoning: string | undefined;
  connect(access: Access): Client;
};

export const turnsOf = ({ messages }: Ask): readonly Turn[] =>
  typeof messages === "string" ? [{ role: "user", text: messages }] : messages;
