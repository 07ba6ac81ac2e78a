// The server itself: node:http with every time limit set, one place where errors become
// replies, and an orderly end. It knows routes, not what they do.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { overloaded, ServiceError, serverError } from "../call/index.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { type Cors, createCors } from "./cors.ts";
import { ClientGone, Exchange, type ExchangeOptions } from "./exchange.ts";
import { checkBodyHeaders } from "./read-body.ts";
import { Roster } from "./roster.ts";
import type { Route, Router } from "./router.ts";
import { StreamWatch } from "./sse-stream.ts";

export type HttpSettings = {
  readonly bodyLimit: number;
  readonly headerTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly pingMs: number;
  readonly corsOrigins: readonly string[];
  readonly maxConnections: number;
};

export type HttpServerOptions = {
  readonly settings: HttpSettings;
  readonly router: Router;
  readonly renderError: (error: ServiceError, requestId: string) => string;
  /** Called before the handler of the route that was found. */
  readonly onStart?: (exchange: Exchange, route: Route) => void;
  /** Called once an exchange is over, answered or not. */
  readonly onDone?: (exchange: Exchange) => void;
  /** Called with what should not have happened. */
  readonly onFault?: (error: unknown, exchange: Exchange) => void;
};

export type Place = { readonly host: string; readonly port: number } | { readonly path: string };

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #watch: StreamWatch;
  readonly #cors: Cors;
  readonly #exchangeOptions: ExchangeOptions;
  readonly #running = new Roster<Exchange>();
  #closing = false;

  constructor(options: HttpServerOptions) {
    const { settings } = options;
    this.#options = options;
    this.#cors = createCors(settings.corsOrigins);
    this.#watch = new StreamWatch({
      pingMs: settings.pingMs,
      stallMs: settings.writeTimeoutMs,
      now: () => performance.now(),
    });
    this.#exchangeOptions = {
      bodyLimit: settings.bodyLimit,
      watch: this.#watch,
      closing: () => this.#closing,
    };
    this.#server = createServer(
      {
        noDelay: true,
        headersTimeout: settings.headerTimeoutMs,
        requestTimeout: settings.headerTimeoutMs + settings.bodyTimeoutMs,
        keepAliveTimeout: settings.keepAliveTimeoutMs,
        connectionsCheckingInterval: Math.min(1000, settings.headerTimeoutMs),
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = settings.maxConnections;
    this.#server.on("checkContinue", (request, response) => this.#continue(request, response));
    this.#server.on("clientError", (error: Error, socket: Socket) =>
      answerBrokenRequest(error, socket, options.renderError),
    );
  }

  async listen(place: Place): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(place, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  }

  get openStreams(): number {
    return this.#watch.size;
  }

  /** Takes no new connections, lets what runs finish for `graceMs`, then ends it. */
  async stop(graceMs: number): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closeUnused();
    const timer = setTimeout(() => this.#endAll(), graceMs);
    await closed;
    clearTimeout(timer);
    this.#watch.close();
  }

  /** To node:http a connection that never asked for anything is busy: it knows no idle one. */
  #closeUnused(): void {
    if (this.#running.size === 0) this.#server.closeAllConnections();
    else this.#server.closeIdleConnections();
  }

  #endAll(): void {
    const reason = overloaded("The server is shutting down; send the request again");
    for (const exchange of this.#running) exchange.abort(reason);
    // The turn that follows lets them write their last frame.
    setTimeout(() => this.#server.closeAllConnections(), 250).unref();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(request, response, this.#exchangeOptions);
    this.#running.add(exchange);
    response.on("close", () => {
      if (!response.writableFinished) exchange.abort(new ClientGone());
      this.#running.remove(exchange);
      this.#options.onDone?.(exchange);
      if (this.#closing) this.#closeUnused();
    });
    try {
      if (this.#options.settings.corsOrigins.length > 0 && this.#crossOrigin(exchange)) return;
      const route = this.#options.router.find(exchange.method, exchange.path);
      exchange.route = route;
      this.#options.onStart?.(exchange, route);
      await route.handle(exchange);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** Adds cross-origin headers; true when it answered a preflight request. */
  #crossOrigin(exchange: Exchange): boolean {
    const origin = exchange.header("origin");
    const methods = this.#options.router.methods(exchange.path);
    if (exchange.method === "OPTIONS" && methods !== undefined) {
      const headers = this.#cors.preflightHeaders(origin, methods);
      if (headers !== undefined) {
        exchange.addHeaders(headers);
        exchange.sendNothing(204);
        return true;
      }
    }
    exchange.addHeaders(this.#cors.replyHeaders(origin));
    return false;
  }

  #fail(exchange: Exchange, thrown: unknown): void {
    if (thrown instanceof ClientGone || exchange.abandoned) return;
    if (!(thrown instanceof ServiceError)) this.#options.onFault?.(thrown, exchange);
    if (exchange.replied) {
      exchange.cut();
      return;
    }
    const error =
      thrown instanceof ServiceError
        ? thrown
        : serverError("Something went wrong inside; quote the request id when you report it");
    exchange.addHeaders(Object.entries(error.headers).flat());
    if (error.retryAfterSeconds !== undefined) {
      exchange.addHeaders(["Retry-After", `${Math.max(1, Math.ceil(error.retryAfterSeconds))}`]);
    }
    const abandoned = exchange.abandonBody();
    const render = exchange.route?.renderError ?? this.#options.renderError;
    exchange.sendJson(error.status, render(error, exchange.requestId));
    if (abandoned) exchange.linger();
  }

  /** A sender that asks first is refused before it sends the body. */
  #continue(request: IncomingMessage, response: ServerResponse): void {
    try {
      checkBodyHeaders(request, this.#options.settings.bodyLimit);
      response.writeContinue();
    } catch {
      // The handler meets the same refusal and renders it.
    }
    void this.#serve(request, response);
  }
}
