// One GET over the network: through the proxy the environment names, redirects followed within
// a bound, credentials never carried to another host, every failure of the line retryable.

import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { ServiceError, upstreamFailed } from "../call/index.ts";
import type { Environment } from "../config/index.ts";
import type { Patience } from "./settings.ts";

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type GetRequest = {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of the Authorization header; for the host of `url` only. */
  readonly authorization?: string | undefined;
  readonly signal: AbortSignal;
};

export type Reply = {
  readonly status: number;
  /** The first value of the header, on the way here or in the last reply. */
  header(name: string): string | undefined;
  /** The same of the last reply only. */
  ownHeader(name: string): string | undefined;
  chunks(): AsyncGenerator<Buffer>;
  /** The body is not wanted. */
  discard(): Promise<void>;
};

export interface Transport {
  get(request: GetRequest): Promise<Reply>;
  close(): Promise<void>;
}

export async function openTransport(
  environment: Environment,
  patience: Patience,
): Promise<Transport> {
  const { EnvHttpProxyAgent, request: send } = await import("undici");
  const named = (name: string): string =>
    environment[name] ?? environment[name.toUpperCase()] ?? "";
  const dispatcher: Dispatcher = new EnvHttpProxyAgent({
    httpProxy: named("http_proxy"),
    httpsProxy: named("https_proxy"),
    noProxy: named("no_proxy"),
    connect: { timeout: patience.connectMs },
    headersTimeout: patience.firstByteMs,
    bodyTimeout: patience.idleMs,
  });

  async function ask(url: URL, { headers, authorization, signal }: GetRequest) {
    try {
      return await send(url, {
        dispatcher,
        signal,
        headers: {
          // What is measured and resumed is the file itself, not a compressed form of it.
          "accept-encoding": "identity",
          ...headers,
          ...(authorization === undefined ? {} : { authorization }),
        },
      });
    } catch (error) {
      throw lineFailure(url, error, signal);
    }
  }

  return {
    async get(request) {
      const passed: IncomingHttpHeaders[] = [];
      let url = request.url;
      for (;;) {
        const sameHost = url.origin === request.url.origin;
        const reply = await ask(url, sameHost ? request : { ...request, authorization: undefined });
        const location = first(reply.headers.location);
        passed.push(reply.headers);
        if (!REDIRECTS.has(reply.statusCode) || location === undefined) {
          return toReply(url, reply, passed, request.signal);
        }
        await reply.body.dump();
        if (passed.length > MOST_REDIRECTS) {
          throw new ServiceError({
            status: 502,
            type: "server_error",
            message: `${request.url.host} redirects more than ${MOST_REDIRECTS} times`,
          });
        }
        url = nextAddress(location, url);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function toReply(
  url: URL,
  reply: Dispatcher.ResponseData,
  passed: readonly IncomingHttpHeaders[],
  signal: AbortSignal,
): Reply {
  return {
    status: reply.statusCode,
    header: (name) => first(passed.map((headers) => first(headers[name])).find(Boolean)),
    ownHeader: (name) => first(reply.headers[name]),
    async *chunks() {
      const body: AsyncIterator<Buffer> = reply.body[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await body.next().catch((error: unknown) => {
            throw lineFailure(url, error, signal);
          });
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        reply.body.destroy();
      }
    },
    discard: () => reply.body.dump(),
  };
}

function nextAddress(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  const safe =
    url?.protocol === "https:" || (url?.protocol === "http:" && from.protocol === "http:");
  if (url !== null && safe) return url;
  throw new ServiceError({
    status: 502,
    type: "server_error",
    message: `${from.host} redirects to ${location}, which is no address to follow`,
  });
}

function lineFailure(url: URL, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const code = error instanceof Error && "code" in error ? `${error.code}` : String(error);
  return upstreamFailed(`The connection to ${url.host} failed (${code})`, error);
}

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
