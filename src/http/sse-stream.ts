// An event stream being written. Frames that come in one turn of the event loop leave in one
// write; a reader that falls behind is told to the writer, who then stops; silence is broken
// by a comment; a reader that stays behind for too long is cut.

import type { ServerResponse } from "node:http";
import { encodingOf } from "./encoding-of.ts";
import { Roster, type Rostered } from "./roster.ts";

const PING = ": ping\n\n";

export class SseStream implements Rostered {
  /** On the watch's roster of open streams. */
  place = -1;
  readonly #response: ServerResponse;
  readonly #watch: StreamWatch;
  #pending = "";
  #blocked = false;
  #waiting: (() => void)[] = [];
  /** Milliseconds of the monotonic clock: the last time something went out or was asked to. */
  movedAt: number;

  constructor(response: ServerResponse, watch: StreamWatch) {
    this.#response = response;
    this.#watch = watch;
    this.movedAt = watch.now();
    watch.add(this);
    response.on("drain", () => this.#release());
    response.on("close", () => {
      watch.remove(this);
      this.#release();
    });
  }

  /** False when the reader is behind; wait for `drained` before writing more. */
  write(frames: string): boolean {
    if (frames === "") return !this.#blocked;
    if (this.#pending === "") process.nextTick(flush, this);
    this.#pending += frames;
    return !this.#blocked;
  }

  drained(): Promise<void> {
    if (!this.#blocked || this.#response.destroyed) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  end(frames: string): void {
    this.#watch.remove(this);
    this.#response.end(this.#pending + frames);
    this.#pending = "";
  }

  get blocked(): boolean {
    return this.#blocked;
  }

  ping(): void {
    this.write(PING);
  }

  cut(): void {
    this.#response.destroy();
  }

  flush(): void {
    if (this.#pending === "" || this.#response.destroyed) return;
    const frames = this.#pending;
    this.#pending = "";
    this.movedAt = this.#watch.now();
    const encoding = encodingOf(frames, Buffer.byteLength(frames));
    if (!this.#response.write(frames, encoding)) this.#blocked = true;
  }

  #release(): void {
    this.#blocked = false;
    this.movedAt = this.#watch.now();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

const flush = (stream: SseStream): void => stream.flush();

export type StreamWatchOptions = {
  readonly pingMs: number;
  readonly stallMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

/** Looks after all open streams with one timer, not one a stream. */
export class StreamWatch {
  readonly #options: StreamWatchOptions;
  readonly #streams = new Roster<SseStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StreamWatchOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#streams.size;
  }

  now(): number {
    return this.#options.now();
  }

  add(stream: SseStream): void {
    this.#streams.add(stream);
    const interval = Math.min(1000, this.#options.pingMs, this.#options.stallMs);
    this.#timer ??= setInterval(() => this.sweep(), interval).unref();
  }

  remove(stream: SseStream): void {
    this.#streams.remove(stream);
    if (this.#streams.size === 0) this.close();
  }

  sweep(): void {
    const now = this.now();
    for (const stream of this.#streams) {
      const still = now - stream.movedAt;
      if (stream.blocked && still >= this.#options.stallMs) stream.cut();
      else if (!stream.blocked && still >= this.#options.pingMs) stream.ping();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
