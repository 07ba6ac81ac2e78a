// One request and its reply, as the rest of the house sees them: no node:http beyond here.
// The signal aborts when the caller goes away, or when the server must stop.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Usage } from "../call/index.ts";
import type { RequestTrace } from "../ops/index.ts";
import { encodingOf } from "./encoding-of.ts";
import { checkBodyHeaders, parseJson, readBody } from "./read-body.ts";
import { requestIdFrom } from "./request-id.ts";
import type { Rostered } from "./roster.ts";
import type { Route } from "./router.ts";
import { SseStream, type StreamWatch } from "./sse-stream.ts";

/** Why a signal aborted: nobody reads the reply any more. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
  constructor() {
    super("The client went away");
  }
}

export type ExchangeReport = {
  model?: string;
  resource?: string;
  usage?: Usage;
  ttftMs?: number;
  /** What Hearth itself added to the time of the reply, or to that of a stream's first byte. */
  overheadMs?: number;
  /** The reply began well and then failed. */
  broke?: boolean;
  trace?: RequestTrace;
};

/** How long a refused sender may go on sending before its connection is cut. */
const LINGER_MS = 2000;
/** Bodies up to this size are read to the end for nothing rather than losing the connection. */
const SHORT_BODY = 65_536;

export type ExchangeOptions = {
  readonly bodyLimit: number;
  readonly watch: StreamWatch;
  /** Whether the server is on its way out: connections are then not kept. */
  readonly closing: () => boolean;
};

export class Exchange implements Rostered {
  /** On the server's roster of those that run. */
  place = -1;
  readonly requestId: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number = performance.now();
  /** Set once the router knows. */
  route: Route | undefined;
  /** Length of the body that was read. */
  bodyBytes = 0;
  /** What the log, the metrics and the trace should say of it beside the request itself. */
  readonly report: ExchangeReport = {};
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: ExchangeOptions;
  readonly #abort = new AbortController();
  readonly #headers: string[];
  #lastOnConnection = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.requestId = requestIdFrom(request.headers["x-request-id"]);
    this.#headers = ["X-Request-Id", this.requestId];
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True when the caller left before the reply was whole. */
  get abandoned(): boolean {
    return this.signal.reason instanceof ClientGone;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get path(): string {
    const url = this.#target();
    const query = url.indexOf("?");
    return query === -1 ? url : url.slice(0, query);
  }

  /** The reply's status; 499 when the caller left before there was one. */
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 499;
  }

  /** True once the head of the reply is out: an error can then only end the stream. */
  get replied(): boolean {
    return this.#response.headersSent;
  }

  /** A repeated header counts as its first value, as node:http has it. */
  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  query(): URLSearchParams {
    const url = this.#target();
    const start = url.indexOf("?");
    return new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
  }

  async readJson(): Promise<unknown> {
    checkBodyHeaders(this.#request, this.#options.bodyLimit);
    const body = await readBody(this.#request, this.#options.bodyLimit);
    this.bodyBytes = body.length;
    return parseJson(body);
  }

  /** Adds headers to the reply: name, value, name, value… */
  addHeaders(headers: readonly string[]): void {
    for (const text of headers) this.#headers.push(text);
  }

  send(status: number, contentType: string, body: string): void {
    const length = Buffer.byteLength(body);
    this.#headers.push("Content-Type", contentType, "Content-Length", `${length}`);
    this.#writeHead(status);
    if (this.method === "HEAD") this.#response.end();
    else this.#response.end(body, encodingOf(body, length));
  }

  sendJson(status: number, body: string): void {
    this.send(status, "application/json", body);
  }

  sendNothing(status: number): void {
    this.#writeHead(status);
    this.#response.end();
  }

  openStream(): SseStream {
    this.#headers.push(
      "Content-Type",
      "text/event-stream",
      "Cache-Control",
      "no-cache",
      "X-Accel-Buffering",
      "no",
    );
    this.#writeHead(200);
    return new SseStream(this.#response, this.#options.watch);
  }

  /**
   * True when a body is still on its way that is not worth reading to keep the connection. Must
   * be asked before the reply, which then says that the connection closes.
   */
  abandonBody(): boolean {
    const { complete, headers } = this.#request;
    const length = headers["content-length"];
    const short = headers["transfer-encoding"] === undefined && Number(length ?? 0) <= SHORT_BODY;
    this.#lastOnConnection = !complete && !short;
    return this.#lastOnConnection;
  }

  /**
   * A refused sender may still be sending. Closing at once would reset the connection and could
   * take the reply with it, so what comes is thrown away for a moment.
   */
  linger(): void {
    const request = this.#request;
    const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.on("error", () => {});
    this.#response.on("close", () => clearTimeout(timer));
    request.resume();
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  /** Ends the connection with whatever has been written so far. */
  cut(): void {
    this.#response.destroy();
  }

  /** Path and query. A request to a proxy names the whole address, which servers accept too. */
  #target(): string {
    const url = this.#request.url ?? "/";
    if (url.startsWith("/")) return url;
    const path = /^https?:\/\/[^/?]*(.*)$/i.exec(url)?.[1];
    return path === undefined || path === "" ? "/" : path;
  }

  #writeHead(status: number): void {
    if (this.#lastOnConnection || this.#options.closing()) {
      this.#headers.push("Connection", "close");
    }
    this.#response.writeHead(status, this.#headers);
  }
}
