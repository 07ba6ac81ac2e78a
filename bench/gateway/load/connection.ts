// One keep-alive connection of the load generator: sends the same bytes again and again, and
// looks at every reply. A reply that is not what was asked for ends the whole run.

import { connect, type Socket } from "node:net";
import {
  CHAT_PATH,
  chatBody,
  microseconds,
  REPLY_END,
  STAMP,
  STAMP_DIGITS,
  STREAM_END,
} from "../wire.ts";
import type { LoadOrder } from "./orders.ts";
import { ReplyReader } from "./reply-reader.ts";

const MARK = `"${STAMP}`;
const MARKED = MARK.length + STAMP_DIGITS;

export type ConnectionOptions = {
  readonly order: LoadOrder;
  onReply(connection: Connection): void;
  /** Called for each chunk of a stream with the microsecond of its writing. */
  onChunk?(writtenAt: number): void;
  onProblem(problem: Error): void;
};

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #bytes: string;
  readonly #streamed: boolean;
  readonly #socket: Socket;
  #text = "";
  #chunks = 0;
  /** Milliseconds. */
  sentAt = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#streamed = options.order.load.type !== "requests";
    this.#bytes = requestBytes(options.order, this.#streamed);
    const reader = new ReplyReader({
      onBody: (text) => this.#read(text),
      onEnd: (status) => this.#end(status),
    });
    this.#socket = connect({ port: options.order.port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (bytes) => {
      try {
        reader.push(bytes);
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the subject closed a connection")));
  }

  get chunks(): number {
    return this.#chunks;
  }

  send(): void {
    this.#text = "";
    this.#chunks = 0;
    this.sentAt = performance.now();
    this.#socket.write(this.#bytes, "latin1");
  }

  close(): void {
    this.#socket.removeAllListeners();
    this.#socket.on("error", () => {});
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    if (!this.#streamed) return;
    let at = this.#text.indexOf(MARK);
    let read = 0;
    while (at !== -1 && at + MARKED <= this.#text.length) {
      this.#chunks += 1;
      this.#options.onChunk?.(Number(this.#text.slice(at + MARK.length, at + MARKED)));
      read = at + MARKED;
      at = this.#text.indexOf(MARK, read);
    }
    // A mark may be cut between two pieces; everything before the last stretch is done with.
    this.#text = this.#text.slice(Math.max(read, this.#text.length - MARKED));
  }

  #end(status: number): void {
    const { chunks } = this.#options.order.load;
    const whole = this.#streamed
      ? this.#text.includes(STREAM_END) && this.#chunks === chunks
      : this.#text.includes(REPLY_END);
    if (status === 200 && whole) this.#options.onReply(this);
    else {
      const got = this.#streamed ? `${this.#chunks} of ${chunks} chunks, then ` : "";
      this.#fail(new Error(`a reply was not whole: ${status}, ${got}${this.#text.slice(-300)}`));
    }
  }

  #fail(problem: Error): void {
    this.close();
    this.#options.onProblem(problem);
  }
}

function requestBytes({ port, headers, model }: LoadOrder, stream: boolean): string {
  const body = chatBody(model, stream);
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${CHAT_PATH} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${extra.join("")}\r\n${body}`;
}

/** Milliseconds between the writing of a chunk and now. */
export const lateness = (writtenAt: number): number => (microseconds() - writtenAt) / 1000;
