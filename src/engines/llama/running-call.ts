// One call while the model's process works on it: its events go to the sink in order, and when
// the reader is behind, the process is told to wait with this call alone.

import {
  type Call,
  type CallEvent,
  type EventSink,
  type ServiceError,
  upstreamFailed,
} from "../../call/index.ts";
import type { WorkerCommand } from "./protocol.ts";

export type RunningCallOptions = {
  readonly id: number;
  readonly call: Call;
  readonly sink: EventSink;
  readonly send: (command: WorkerCommand) => void;
};

export class RunningCall {
  readonly model: string;
  /** Resolves when the call is done; rejects with why it is not. */
  readonly outcome: Promise<void>;
  readonly #id: number;
  readonly #sink: EventSink;
  readonly #send: (command: WorkerCommand) => void;
  readonly #end = Promise.withResolvers<void>();
  #paused = false;
  #finished = false;
  #over = false;

  constructor({ id, call, sink, send }: RunningCallOptions) {
    this.model = call.model;
    this.outcome = this.#end.promise;
    this.#id = id;
    this.#sink = sink;
    this.#send = send;
    send({ type: "run", id, call });
  }

  deliver(events: readonly CallEvent[]): void {
    // Several reports may come in one go: the end of a call is the end, whatever follows it.
    if (this.#over) return;
    let keepsUp = true;
    try {
      for (const event of events) {
        if (event.type === "finish") this.#finished = true;
        keepsUp = this.#sink.write(event) && keepsUp;
      }
    } catch (error) {
      this.cancel(error);
      return;
    }
    if (!keepsUp) this.#pause();
  }

  done(): void {
    this.#over = true;
    if (this.#finished) this.#end.resolve();
    else this.#end.reject(upstreamFailed(`${this.model} ended without finishing its answer`));
  }

  fail(error: ServiceError): void {
    this.#over = true;
    this.#end.reject(error);
  }

  /** Nobody wants the rest of it. */
  cancel(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#send({ type: "cancel", id: this.#id });
    this.#end.reject(reason);
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#send({ type: "pause", id: this.#id });
    this.#sink.drained().then(
      () => {
        this.#paused = false;
        if (!this.#over) this.#send({ type: "resume", id: this.#id });
      },
      // A sink that never drains has lost its reader: the signal ends the call.
      () => undefined,
    );
  }
}
