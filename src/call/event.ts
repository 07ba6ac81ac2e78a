// The inner events: what an engine says while it answers a call. Text and thinking come
// in pieces; a tool call comes whole, because clients disagree on every way of splitting it.

export type Usage = {
  /** All prompt tokens, cached ones included. */
  readonly promptTokens: number;
  /** All generated tokens, thinking included. */
  readonly completionTokens: number;
  /** Prompt tokens read from a cache; absent when the engine does not say. */
  readonly cachedTokens?: number;
  /** Prompt tokens written to a cache; absent when the engine does not say. */
  readonly cacheWriteTokens?: number;
  /** Of the completion tokens, those spent thinking; absent when the engine does not say. */
  readonly reasoningTokens?: number;
  /** True when the engine reported nothing and the numbers are our estimate. */
  readonly estimated: boolean;
};

export type FinishReason = "stop" | "length" | "tool_calls";

export type CallEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  /** Closes the thinking block that is open, or stands for one whose text is withheld. */
  | { readonly type: "signature"; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | {
      readonly type: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
    }
  /** May come several times; the last one counts. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** Exactly once, after everything but usage. */
  | {
      readonly type: "finish";
      readonly reason: FinishReason;
      /** The stop string that was met, where the engine tells. */
      readonly stopSequence?: string;
    };

/**
 * Where an engine writes its events. `write` answers false when the reader is behind: the
 * engine then stops reading from its source until `drained` resolves.
 */
export interface EventSink {
  write(event: CallEvent): boolean;
  drained(): Promise<void>;
}
