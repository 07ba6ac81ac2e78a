// What the service and the process that holds a model say to each other, over the IPC channel
// of a forked child (serialization "advanced"). Plain data, both ways.

import type { Call, CallEvent, ErrorType } from "../../call/index.ts";

export type LlamaSettings = {
  /** Absolute path of the GGUF. */
  readonly path: string;
  readonly threads: number;
  readonly sequences: number;
  /** Tokens of one conversation. */
  readonly context: number;
  /** Prompt tokens read in one step. */
  readonly batch: number;
  readonly gpu: "none" | "auto" | "cuda" | "vulkan" | "metal";
  readonly repeatPenalty: number;
  readonly defaultSystem: string | null;
  readonly maxQueue: number;
  /** Prefixes of at least so many tokens are kept. */
  readonly cacheMinTokens: number;
  readonly cacheMaxBytes: number;
  /** A prefix that nobody used for so long is dropped. */
  readonly cacheIdleMs: number;
  /** Private directory for kept prefixes; emptied at the start. */
  readonly cacheDirectory: string;
};

export type WorkerCommand =
  | { readonly type: "load"; readonly settings: LlamaSettings }
  | { readonly type: "run"; readonly id: number; readonly call: Call }
  | { readonly type: "cancel"; readonly id: number }
  /** The reader of this call is behind: generate nothing for it until it has caught up. */
  | { readonly type: "pause"; readonly id: number }
  | { readonly type: "resume"; readonly id: number }
  /** Answered by `alive`: the supervisor's way to see that the process is not stuck. */
  | { readonly type: "ask"; readonly nonce: number }
  /** Finish nothing, free everything, exit 0. */
  | { readonly type: "stop" };

export type LlamaStats = {
  readonly running: number;
  readonly waiting: number;
  readonly cacheEntries: number;
  readonly cacheBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly residentBytes: number;
};

export type WorkerReport =
  | {
      readonly type: "loaded";
      readonly contextTokens: number;
      readonly sequences: number;
      readonly loadMs: number;
    }
  | { readonly type: "load-failed"; readonly message: string }
  /** Everything that one step produced for one call. */
  | { readonly type: "events"; readonly id: number; readonly events: readonly CallEvent[] }
  /** After its finish and usage events. */
  | { readonly type: "done"; readonly id: number }
  | {
      readonly type: "failed";
      readonly id: number;
      readonly status: number;
      readonly errorType: ErrorType;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    }
  | { readonly type: "alive"; readonly nonce: number; readonly stats: LlamaStats };
