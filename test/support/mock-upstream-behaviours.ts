// Ways for the mock upstream to misbehave, or to answer exactly these bytes.

import type { Behaviour } from "./mock-upstream.ts";

const EVENT_STREAM = { "content-type": "text/event-stream" };

/** These bytes as an event stream, ended properly. */
export const rawStream =
  (...chunks: readonly (string | Buffer)[]): Behaviour =>
  (_request, response) => {
    response.writeHead(200, EVENT_STREAM);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };

/** These frames as `data:` lines, and `[DONE]`. */
export const frames = (...values: readonly object[]): Behaviour =>
  rawStream(
    `${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")}data: [DONE]\n\n`,
  );

/** Begins a stream with these bytes and then falls silent. */
export const stall =
  (...chunks: readonly string[]): Behaviour =>
  (_request, response) => {
    response.writeHead(200, EVENT_STREAM);
    response.flushHeaders();
    for (const chunk of chunks) response.write(chunk);
  };

/** Begins a stream with these bytes and then drops the connection. */
export const dieAfter =
  (...chunks: readonly string[]): Behaviour =>
  (_request, response) => {
    response.writeHead(200, EVENT_STREAM);
    const last = chunks.length - 1;
    for (const [index, chunk] of chunks.entries()) {
      response.write(chunk, () => {
        // In the order of the wire: first the bytes, then the reset.
        if (index === last) setImmediate(() => response.socket?.destroy());
      });
    }
  };

/** A status with a body, JSON unless it is text. */
export const status =
  (code: number, body: object | string = {}, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/plain" : "application/json";
    response.writeHead(code, { "content-type": type, ...headers });
    response.end(text);
  };

/** A whole reply. */
export const json = (body: object): Behaviour => status(200, body);

/** Resets the connection without a byte of reply. */
export const reset: Behaviour = (_request, response) => {
  response.socket?.resetAndDestroy();
};

/** Never answers. */
export const hang: Behaviour = () => {};

/** Does so once the promise is fulfilled. */
export const after =
  (release: Promise<unknown>, behaviour: Behaviour): Behaviour =>
  async (request, response) => {
    await release;
    await behaviour(request, response);
  };

/** Writes as fast as the other side reads, until it goes away; `written` tells how much. */
export class Flood {
  written = 0;
  readonly #frame: string;

  constructor(frame: string) {
    this.#frame = frame;
  }

  readonly behaviour: Behaviour = (_request, response) => {
    response.writeHead(200, EVENT_STREAM);
    const pump = (): void => {
      while (!response.destroyed) {
        this.written += this.#frame.length;
        if (response.write(this.#frame)) continue;
        response.once("drain", pump);
        return;
      }
    };
    pump();
  };
}
