// A target for tests of the pool: each try does what the test scripted, without a network.

import {
  type Call,
  type EventSink,
  invalidRequest,
  ServiceError,
  timedOut,
  upstreamFailed,
} from "../../src/call/index.ts";
import type { AttemptFailure, Target } from "../../src/engines/target.ts";

export type Try = (
  sink: EventSink,
) => AttemptFailure | undefined | Promise<AttemptFailure | undefined>;

export const answers: Try = (sink) => {
  sink.write({ type: "text", text: "ok" });
  sink.write({ type: "finish", reason: "stop" });
  return undefined;
};

export const fails: Try = () => ({ fault: "target", error: upstreamFailed("down") });

export const timesOut: Try = () => ({ fault: "target", error: timedOut("late") });

export const refusesCaller: Try = () => ({ fault: "caller", error: invalidRequest("bad field") });

export const refusesKey: Try = () => ({
  fault: "target",
  error: new ServiceError({ status: 502, type: "server_error", message: "wrong key" }),
});

export const isBusy =
  (retryAfterSeconds?: number): Try =>
  () => ({
    fault: "busy",
    error: new ServiceError({
      status: 503,
      type: "overloaded_error",
      message: "busy",
      retryable: true,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }),
  });

export const diesMidStream: Try = (sink) => {
  sink.write({ type: "text", text: "half" });
  return { fault: "target", error: upstreamFailed("died") };
};

export class MockTarget implements Target {
  readonly name: string;
  readonly weight: number;
  readonly connections: number;
  /** What the next tries do; after them `always`. */
  readonly script: Try[] = [];
  always: Try = answers;
  alive = true;
  tries = 0;
  probes = 0;
  running = 0;

  constructor(name: string, options: { weight?: number; connections?: number } = {}) {
    this.name = name;
    this.weight = options.weight ?? 1;
    this.connections = options.connections ?? 256;
  }

  async attempt(_call: Call, sink: EventSink, signal: AbortSignal) {
    this.tries += 1;
    this.running += 1;
    const gone = Promise.withResolvers<never>();
    const leave = (): void => gone.reject(signal.reason);
    signal.addEventListener("abort", leave);
    try {
      return await Promise.race([(this.script.shift() ?? this.always)(sink), gone.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      this.running -= 1;
    }
  }

  async probe(): Promise<boolean> {
    this.probes += 1;
    return this.alive;
  }

  async close(): Promise<void> {}
}
