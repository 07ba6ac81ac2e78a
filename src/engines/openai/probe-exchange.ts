// Asks an upstream for its list of models, to learn whether anybody is there. Only the
// status counts: a server that answers 401 or 404 is alive.

import type { Dispatcher } from "undici";

const ENOUGH = new Error("the status is enough");

export class ProbeExchange implements Dispatcher.DispatchHandler {
  readonly #alive = Promise.withResolvers<boolean>();
  readonly #onStart: () => void;

  constructor(onStart: () => void) {
    this.#onStart = onStart;
  }

  get alive(): Promise<boolean> {
    return this.#alive.promise;
  }

  onRequestStart(): void {
    this.#onStart();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#alive.resolve(status < 500);
    controller.abort(ENOUGH);
  }

  onResponseError(): void {
    this.#alive.resolve(false);
  }
}
