// Traces, where an OpenTelemetry collector is configured: one span for each request and one
// below it for each inference. Without a collector nothing of OpenTelemetry is even loaded,
// and `start` answers undefined. Prompts, replies and keys have no place in these types.

import type { FinishReason, Usage } from "../call/index.ts";
import type { Log } from "./log.ts";

export type TracedRequest = {
  readonly requestId: string;
  readonly method: string;
  /** The pattern that matched, such as `/v1/chat/completions`. */
  readonly route: string;
  /** Without the query. */
  readonly path: string;
  /** The caller's headers of these names. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
};

export type TracedInference = {
  /** In the words of the gen_ai conventions; default `chat`. */
  readonly operation?: string;
  /** Who runs the model: the engine's type, such as `openai` or `llama`. */
  readonly provider: string;
  readonly model: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stream?: boolean;
};

export type InferenceResult = {
  readonly responseModel?: string | undefined;
  readonly finishReason?: FinishReason | undefined;
  readonly usage?: Usage | undefined;
  readonly firstTokenSeconds?: number | undefined;
  /** What kind of failure: a ServiceError's `type`, or `aborted`. Never its message. */
  readonly errorType?: string | undefined;
};

export interface InferenceTrace {
  /** The headers of these names for the request upstream. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  end(result: InferenceResult): void;
}

export interface RequestTrace {
  readonly traceId: string;
  inference(inference: TracedInference): InferenceTrace;
  end(result: { readonly status: number; readonly errorType?: string | undefined }): void;
}

export interface Tracing {
  start(request: TracedRequest): RequestTrace | undefined;
  /** Sends what is left, within a bounded time. */
  close(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type TracingOptions = {
  /** `tracing.otlp_endpoint`; null leaves it to the environment. */
  readonly endpoint: string | null;
  /** Share of the requests traced when the caller does not decide. */
  readonly sampleRatio: number;
  readonly version: string;
  readonly log: Log;
  readonly environment?: Environment;
  /** Longest wait for the collector: for one batch, and for the last ones at the end. */
  readonly timeoutMs?: number;
};

const off: Tracing = { start: () => undefined, close: async () => {} };

export async function createTracing(options: TracingOptions): Promise<Tracing> {
  const address = tracesAddress(options.endpoint, options.environment ?? process.env);
  if (address === undefined) return off;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing(address, options);
}

/** By the OTLP rules only the variable for traces is a full address; others are its base. */
export function tracesAddress(
  configured: string | null,
  environment: Environment,
): string | undefined {
  if (environment.OTEL_SDK_DISABLED === "true") return undefined;
  const exact = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || undefined;
  const base = configured ?? (exact ? undefined : environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  if (!base) return exact;
  const trimmed = base.replace(/\/+$/, "");
  return trimmed.endsWith("/v1/traces") ? trimmed : `${trimmed}/v1/traces`;
}
