// Tracing through the OpenTelemetry SDK to a collector over OTLP/HTTP. Loaded only when a
// collector is configured. The SDK is used without its globals: parents are passed by hand,
// which costs nothing on the way of a request and cannot be upset by another library.

import { setTimeout as after } from "node:timers/promises";
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "./log.ts";
import { inferenceAttributes, requestAttributes, resultAttributes } from "./trace-attributes.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";
import type {
  InferenceTrace,
  RequestTrace,
  TracedInference,
  TracedRequest,
  Tracing,
  TracingOptions,
} from "./tracing.ts";

const TIMEOUT_MS = 5_000;
/** Spans beyond this are dropped while the collector is away: about 2 MB. */
const QUEUE_LENGTH = 2_048;
const BATCH_LENGTH = 512;
const BATCH_DELAY_MS = 1_000;

export function createOtlpTracing(
  url: string,
  { sampleRatio, version, log, timeoutMs = TIMEOUT_MS }: TracingOptions,
): Tracing {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const resource = resourceFromAttributes({ "service.name": "hearth", "service.version": version });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over our own words.
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: 1_024 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reported(exporter, log),
        maxQueueSize: QUEUE_LENGTH,
        maxExportBatchSize: BATCH_LENGTH,
        scheduledDelayMillis: BATCH_DELAY_MS,
        exportTimeoutMillis: timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer("hearth", version);

  function startInference(parent: Context, inference: TracedInference): InferenceTrace {
    const attributes = inferenceAttributes(inference);
    const name = `${attributes["gen_ai.operation.name"]} ${inference.model}`;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    return {
      ...headersFrom(span),
      end(result) {
        span.setAttributes(resultAttributes(result));
        if (result.errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  function start(request: TracedRequest): RequestTrace {
    const attributes = requestAttributes(request);
    const name = `${request.method} ${request.route}`;
    const parent = callersContext(request);
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    const context = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      inference: (inference) => startInference(context, inference),
      end({ status, errorType }) {
        span.setAttribute("http.response.status_code", status);
        if (errorType !== undefined) span.setAttribute("error.type", errorType);
        // A 4xx is the caller's doing: by convention no error of this span.
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async function close(): Promise<void> {
    const timer = new AbortController();
    const late = after(timeoutMs, "late", { signal: timer.signal }).catch(() => "cancelled");
    const sent = provider.shutdown().catch(() => "failed");
    if ((await Promise.race([sent, late])) === "late") {
      log.warn({ timeoutMs }, "the last traces were not taken in time");
    }
    timer.abort();
  }

  return { start, close };
}

function callersContext({ traceparent, tracestate }: TracedRequest): Context {
  const parent = parseTraceparent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.spanId,
    traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate && { traceState: createTraceState(tracestate) }),
  });
}

function headersFrom(span: Span): { traceparent: string; tracestate: string | undefined } {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceparent: formatTraceparent({ traceId, spanId, sampled }),
    tracestate: traceState?.serialize() || undefined,
  };
}

/** Says once that the collector does not take the spans, and once that it does again. */
function reported(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !failing) log.warn({ err: result.error }, "traces cannot be sent");
        if (!failed && failing) log.info({}, "traces are sent again");
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
