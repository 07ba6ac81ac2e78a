// From the engine's events to the caller's connection, in whatever dialect renders them.
// Nothing is written before the first event that says something, so an early failure is
// still a status of its own.

import { type CallEvent, type EventSink, ServiceError, serverError } from "../call/index.ts";
import type { BodyRenderer, StreamRenderer } from "../dialects/index.ts";
import type { Exchange, SseStream } from "../http/index.ts";
import type { AdmittedInference, InferenceResult } from "./door.ts";

export async function replyWithBody(
  exchange: Exchange,
  admitted: AdmittedInference,
  renderer: BodyRenderer,
): Promise<void> {
  const sink: EventSink = {
    write(event) {
      renderer.event(event);
      return true;
    },
    drained: () => Promise.resolve(),
  };
  const result = await admitted.run(sink, exchange.signal);
  noteResult(exchange, result);
  const body = renderer.end(result.usage);
  exchange.addHeaders(["Server-Timing", timing(exchange, result.engineMs)]);
  exchange.sendJson(200, body);
}

export async function replyWithStream(
  exchange: Exchange,
  admitted: AdmittedInference,
  renderer: StreamRenderer,
): Promise<void> {
  const sink = new StreamSink(exchange, renderer);
  try {
    const result = await admitted.run(sink, exchange.signal);
    noteResult(exchange, result);
    sink.open().end(renderer.end(result.usage));
  } catch (error) {
    const { stream } = sink;
    if (stream === undefined || exchange.abandoned) throw error;
    const shown =
      error instanceof ServiceError ? error : serverError("The stream broke off inside");
    exchange.report.broke = true;
    stream.end(renderer.error(shown, exchange.requestId));
    // What should not have happened still has to be reported; the reply is out already.
    if (!(error instanceof ServiceError)) throw error;
  }
}

class StreamSink implements EventSink {
  readonly #exchange: Exchange;
  readonly #renderer: StreamRenderer;
  readonly #startedAt: number = performance.now();
  stream: SseStream | undefined;

  constructor(exchange: Exchange, renderer: StreamRenderer) {
    this.#exchange = exchange;
    this.#renderer = renderer;
  }

  open(): SseStream {
    if (this.stream === undefined) {
      const engineMs = performance.now() - this.#startedAt;
      this.#exchange.addHeaders(["Server-Timing", timing(this.#exchange, engineMs)]);
      this.stream = this.#exchange.openStream();
    }
    return this.stream;
  }

  write(event: CallEvent): boolean {
    const frames = this.#renderer.event(event);
    if (frames === "") return true;
    return (this.stream ?? this.open()).write(frames);
  }

  drained(): Promise<void> {
    return this.stream?.drained() ?? Promise.resolve();
  }
}

/** What Hearth itself added so far, and what it waited for the engine. */
function timing({ report, startedAt }: Exchange, engineMs: number): string {
  report.overheadMs = performance.now() - startedAt - engineMs;
  return `hearth;dur=${report.overheadMs.toFixed(3)}, engine;dur=${engineMs.toFixed(3)}`;
}

function noteResult({ report }: Exchange, { usage, ttftMs }: InferenceResult): void {
  report.usage = usage;
  if (ttftMs !== undefined) report.ttftMs = ttftMs;
}
