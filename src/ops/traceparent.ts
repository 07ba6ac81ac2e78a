// The W3C header that ties spans of different services into one trace. Parsed here and not
// by OpenTelemetry, because it is passed on upstream even where tracing is off.

export type TraceParent = {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
};

/** Ids of zeros and version ff are invalid; versions after 00 may carry further fields. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "00" && rest !== undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
