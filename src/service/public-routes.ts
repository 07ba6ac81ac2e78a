// Every route of the public door. Those whose part is not there yet say so with 501, behind
// the same authentication as the rest, so that a client's set-up can be tried today.

import { ServiceError } from "../call/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Route } from "../http/index.ts";
import type { Health, Metrics } from "../ops/index.ts";
import { readBearerToken } from "./bearer-token.ts";
import { type CallerOptions, type CallerRoute, forCallers } from "./caller.ts";

export type PublicRouteOptions = CallerOptions & {
  readonly catalog: Catalog;
  readonly chat: CallerRoute;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly metricsToken: string | null;
  readonly operators: readonly string[];
};

export const NOT_OFFERED = [
  "/v1/moderations",
  "/v1/audio/transcriptions",
  "/v1/audio/translations",
  "/v1/audio/speech",
  "/v1/models",
  "/v1/files",
  "/v1/fine-tuning/jobs",
  "/v1/fine_tuning/jobs",
  "/v1/batches",
  "/v1/assistants",
] as const;

export function createPublicRoutes(options: PublicRouteOptions): Route[] {
  const { catalog, health, metrics, operators } = options;
  const listing = JSON.stringify(catalog.listing());
  const later = [
    ["POST", "/v1/messages"],
    ["POST", "/v1/messages/count_tokens"],
    ["POST", "/v1/embeddings"],
    ["POST", "/v1/images/generations"],
    ["POST", "/v1/rerank"],
    ["POST", "/v2/rerank"],
    ["GET", "/v1/mcp/servers"],
    ...operators.map((name) => ["POST", `/v1/agents/${name}`] as const),
  ] as const;

  return [
    forCallers(options, options.chat),
    ...later.map(([method, path]) =>
      forCallers(options, {
        method,
        path,
        apiKeyHeader: path.startsWith("/v1/messages"),
        handle: () => notBuilt(method, path),
      }),
    ),
    {
      method: "GET",
      path: "/available-models",
      handle: (exchange) => exchange.sendJson(200, listing),
    },
    {
      method: "GET",
      path: "/livez",
      handle: (exchange) => sendHealth(exchange, health.livez()),
    },
    {
      method: "GET",
      path: "/readyz",
      handle: (exchange) => sendHealth(exchange, health.readyz()),
    },
    {
      method: "GET",
      path: "/metrics",
      async handle(exchange) {
        if (options.metricsToken !== null) readBearerToken(exchange, options.metricsToken);
        exchange.send(200, metrics.contentType, await metrics.text());
      },
    },
  ];
}

const sendHealth: (
  exchange: Parameters<Route["handle"]>[0],
  answer: { readonly status: number; readonly body: unknown },
) => void = (exchange, { status, body }) => exchange.sendJson(status, JSON.stringify(body));

function notBuilt(method: string, path: string): never {
  throw new ServiceError({
    status: 501,
    type: "server_error",
    message: `${method} ${path} is not available in this release`,
  });
}
