// An OpenAI-compatible server to stand behind engines in tests and benchmarks. Left alone it
// answers sensibly; `script` tells it how to answer the next requests instead. Nothing in it
// sleeps: whatever waits, waits for a promise of the test.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { reply } from "./mock-upstream-reply.ts";

export type MockRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  /** The body parsed; an empty object where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** performance.now() when it had come whole. */
  readonly receivedAt: number;
};

export type MockAbort = {
  readonly request: MockRequest;
  /** performance.now() when its connection closed before the reply was done. */
  readonly closedAt: number;
};

/** Answers one request. What it never ends hangs until the other side goes away. */
export type Behaviour = (request: MockRequest, response: ServerResponse) => void | Promise<void>;

export type MockUpstreamOptions = {
  /** Answers every chat request for which nothing is scripted. Default: `reply`. */
  readonly respond?: Behaviour;
  /** Ids of GET /v1/models. */
  readonly models?: readonly string[];
  /** False: requests are not kept, so a benchmark does not grow. Default true. */
  readonly record?: boolean;
  /** Default: a free one. */
  readonly port?: number;
};

export type MockUpstream = {
  /** Up to and including the version: http://127.0.0.1:PORT/v1 */
  readonly url: string;
  readonly port: number;
  /** Chat requests, in the order in which they came whole. */
  readonly requests: readonly MockRequest[];
  readonly aborts: readonly MockAbort[];
  /** How often GET /v1/models was asked. */
  readonly probes: number;
  /** Connections open now, and how many there ever were. */
  readonly connections: { readonly open: number; readonly total: number };
  /** The status of GET /v1/models. */
  modelsStatus: number;
  /** Answers the next requests, one behaviour each; after them the default again. */
  script(...behaviours: readonly Behaviour[]): void;
  /** Resolves with the n-th chat request, counted from 1. */
  request(n: number): Promise<MockRequest>;
  /** Resolves with the n-th abort, counted from 1. */
  abort(n: number): Promise<MockAbort>;
  /** Resets every open connection, as a killed process does. */
  resetConnections(): void;
  close(): Promise<void>;
};

export async function startMockUpstream(options: MockUpstreamOptions = {}): Promise<MockUpstream> {
  const { respond = reply(), models = ["mock-model"], record = true } = options;
  const requests = new Arrivals<MockRequest>();
  const aborts = new Arrivals<MockAbort>();
  const scripted: Behaviour[] = [];
  const sockets = new Set<Socket>();
  let total = 0;
  let probes = 0;

  const server = createServer((incoming, response) => {
    if (incoming.method === "GET") {
      probes += 1;
      response.writeHead(mock.modelsStatus, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data: models.map((id) => ({ id })) }));
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const request: MockRequest = {
        path: incoming.url ?? "",
        headers: incoming.headers,
        text,
        body: parseBody(text),
        receivedAt: performance.now(),
      };
      response.on("close", () => {
        if (response.writableFinished) return;
        aborts.add({ request, closedAt: performance.now() });
      });
      if (record) requests.add(request);
      const behaviour = scripted.shift() ?? respond;
      void behaviour(request, response);
    });
  });
  server.keepAliveTimeout = 0;
  server.on("connection", (socket: Socket) => {
    total += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A client that aborts resets the connection; that is what is tested, not an error here.
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const mock: MockUpstream = {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests: requests.items,
    aborts: aborts.items,
    get probes() {
      return probes;
    },
    get connections() {
      return { open: sockets.size, total };
    },
    modelsStatus: 200,
    script(...behaviours) {
      scripted.push(...behaviours);
    },
    request: (n) => requests.nth(n),
    abort: (n) => aborts.nth(n),
    resetConnections() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return mock;
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A list that others can wait on. */
class Arrivals<T> {
  readonly items: T[] = [];
  #waiters: { readonly n: number; readonly resolve: (item: T) => void }[] = [];

  add(item: T): void {
    this.items.push(item);
    const arrived = this.#waiters.filter(({ n }) => n === this.items.length);
    this.#waiters = this.#waiters.filter(({ n }) => n > this.items.length);
    for (const { resolve } of arrived) resolve(item);
  }

  async nth(n: number): Promise<T> {
    return this.items[n - 1] ?? new Promise((resolve) => this.#waiters.push({ n, resolve }));
  }
}
