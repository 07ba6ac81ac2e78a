// Tells whether anything has reached the caller: from the first event on, a call belongs to
// its target, and no other may be tried.

import type { CallEvent, EventSink } from "../../call/index.ts";

export class StartedSink implements EventSink {
  started = false;
  /** Called once, before the first event. */
  onStart: (() => void) | undefined;
  readonly #sink: EventSink;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  write(event: CallEvent): boolean {
    if (!this.started) {
      this.started = true;
      this.onStart?.();
    }
    return this.#sink.write(event);
  }

  drained(): Promise<void> {
    return this.#sink.drained();
  }
}
