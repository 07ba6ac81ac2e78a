// The log: JSON lines on standard error, buffered, in UTC, without process id and host name
// (whoever collects the lines knows both). `Log` is all that the rest of the house sees.

import pino from "pino";
import { inBlocks, type LogDestination, toStandardError } from "./log-stream.ts";
import { formatRequestLine, type RequestLine } from "./request-line.ts";

export type LogFields = Readonly<Record<string, unknown>>;

/** An Error goes under `err`; its causes are written out with it. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(bindings: LogFields): Log;
}

export interface ServiceLog extends Log {
  /** One line a request: `info`, or `warn` when it failed here or behind us, also mid-stream. */
  request(line: RequestLine): void;
  /** Resolves when everything logged so far is written: the last act before an exit. */
  flush(): Promise<void>;
}

export type LogOptions = {
  /** silent, error, warn, info or debug. */
  readonly level: string;
  /** Default: standard error. Another destination gets every line at once. */
  readonly destination?: LogDestination;
  readonly now?: () => number;
};

export function createLog({ level, destination, now = Date.now }: LogOptions): ServiceLog {
  const stream = destination === undefined ? toStandardError() : inBlocks(destination, 0, 0);
  const time = timeField(now);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: time,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const infoEnabled = logger.isLevelEnabled("info");
  const warnEnabled = logger.isLevelEnabled("warn");
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (bindings) => logger.child(bindings),
    request(line) {
      const failed = line.status >= 500 || (line.status < 400 && line.outcome === "error");
      if (!(failed ? warnEnabled : infoEnabled)) return;
      const opening = failed ? '{"level":"warn"' : '{"level":"info"';
      stream.write(formatRequestLine(opening + time(), line));
    },
    flush: stream.flush,
  };
}

/** Formatting a date costs a third of a whole line, so it is done once a second. */
function timeField(now: () => number): () => string {
  let second = Number.NaN;
  let start = "";
  return () => {
    const at = now();
    const thisSecond = Math.floor(at / 1000);
    if (thisSecond !== second) {
      second = thisSecond;
      start = `,"time":"${new Date(second * 1000).toISOString().slice(0, 20)}`;
    }
    return `${start}${String(Math.floor(at) - second * 1000).padStart(3, "0")}Z"`;
  };
}
