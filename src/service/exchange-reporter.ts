// One log line, one set of numbers and one span for every exchange, answered or not.

import type { Exchange, Route } from "../http/index.ts";
import type { Metrics, ServiceLog, Tracing } from "../ops/index.ts";

export type ReporterOptions = {
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
};

export interface ExchangeReporter {
  started(exchange: Exchange, route: Route): void;
  done(exchange: Exchange): void;
}

/** Asked every few seconds by machines: counted, but not worth a line each. */
const QUIET = new Set(["/livez", "/readyz", "/metrics"]);

export function createExchangeReporter(options: ReporterOptions): ExchangeReporter {
  const { log, metrics, tracing } = options;
  return {
    started(exchange, route) {
      metrics.meter(route.path).started();
      const trace = tracing.start({
        requestId: exchange.requestId,
        method: exchange.method,
        route: route.path,
        path: exchange.path,
        traceparent: exchange.header("traceparent"),
        tracestate: exchange.header("tracestate"),
      });
      if (trace !== undefined) exchange.report.trace = trace;
    },
    done(exchange) {
      const { report, requestId, method, status } = exchange;
      const route = exchange.route?.path ?? "none";
      const durationMs = performance.now() - exchange.startedAt;
      const meter = metrics.meter(route, report.model);
      if (exchange.route === undefined) meter.started();
      meter.finished({
        status,
        seconds: durationMs / 1000,
        overheadSeconds: report.overheadMs === undefined ? undefined : report.overheadMs / 1000,
      });
      report.trace?.end({ status });
      if (QUIET.has(route)) return;
      log.request({
        requestId,
        method,
        route,
        status,
        outcome: exchange.abandoned ? "aborted" : report.broke || status >= 400 ? "error" : "ok",
        model: report.model,
        resource: report.resource,
        usage: report.usage,
        durationMs,
        ttftMs: report.ttftMs,
      });
    },
  };
}
