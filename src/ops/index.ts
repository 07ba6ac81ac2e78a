export { createHealth, type Health, type HealthAnswer, type HealthState } from "./health.ts";
export { createLog, type Log, type LogFields, type LogOptions, type ServiceLog } from "./log.ts";
export type { LogDestination } from "./log-stream.ts";
export {
  createMetrics,
  type EngineReading,
  type Metrics,
  type MetricsOptions,
} from "./metrics.ts";
export { redact } from "./redact.ts";
export type { RequestLine } from "./request-line.ts";
export type { FinishedRequest, LimitDecision, RouteMeter } from "./route-meter.ts";
export { parseTraceparent, type TraceParent } from "./traceparent.ts";
export {
  createTracing,
  type InferenceResult,
  type InferenceTrace,
  type RequestTrace,
  type TracedInference,
  type TracedRequest,
  type Tracing,
  type TracingOptions,
} from "./tracing.ts";
