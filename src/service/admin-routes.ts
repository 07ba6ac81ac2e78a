// The admin door: the operator's commands as HTTP, on a socket in the data directory that
// only its owner can open, or on a port of its own behind a token. Never on the public port.

import { Type } from "typebox";
import { invalidRequest } from "../call/index.ts";
import { compileRequest } from "../dialects/index.ts";
import type { Route } from "../http/index.ts";
import type { Admin } from "./admin.ts";
import { readBearerToken } from "./bearer-token.ts";

export type ServerStatus = {
  readonly version: string;
  readonly pid: number;
  readonly url: string;
  readonly uptime_seconds: number;
  readonly engines: readonly {
    readonly model: string;
    readonly target: string;
    readonly state: string;
    readonly in_flight: number;
  }[];
};

export type AdminRouteOptions = {
  readonly admin: Admin;
  readonly status: () => ServerStatus;
  /** Null on the socket, whose file mode is its lock. */
  readonly token: string | null;
};

const parseCreate = compileRequest(
  Type.Object(
    {
      model: Type.Optional(Type.String({ maxLength: 128 })),
      alias: Type.Optional(Type.String({ maxLength: 128 })),
      plan: Type.Optional(Type.Union([Type.Literal("model"), Type.Literal("standard")])),
    },
    { additionalProperties: false },
  ),
);

const parseReference = compileRequest(
  Type.Object({ resource: Type.String({ maxLength: 256 }) }, { additionalProperties: false }),
);

export function createAdminRoutes({ admin, status, token }: AdminRouteOptions): Route[] {
  const answer = (
    method: Route["method"],
    path: string,
    work: (body: unknown, query: URLSearchParams) => unknown,
  ): Route => ({
    method,
    path,
    async handle(exchange) {
      if (token !== null) readBearerToken(exchange, token);
      const body = method === "POST" ? await exchange.readJson() : undefined;
      exchange.sendJson(200, JSON.stringify(await work(body, exchange.query())));
    },
  });

  return [
    answer("GET", "/status", () => status()),
    answer("GET", "/env", () => admin.env()),
    answer("GET", "/models", () => admin.models()),
    answer("GET", "/resources", () => admin.resources()),
    answer("GET", "/resource", (_, query) => admin.info(required(query, "resource"))),
    answer("GET", "/usage", (_, query) => admin.usage(readUsageFilter(query))),
    answer("POST", "/resources", (body) => admin.create(parseCreate(body))),
    answer("POST", "/rotate", (body) => admin.rotate(parseReference(body).resource)),
    answer("POST", "/destroy", (body) => admin.destroy(parseReference(body).resource)),
  ];
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null) throw invalidRequest(`${name}: is required`);
  return value;
}

function readUsageFilter(query: URLSearchParams) {
  const resourceId = query.get("resource_id");
  const model = query.get("model");
  return {
    ...(resourceId === null ? {} : { resourceId }),
    ...(model === null ? {} : { model }),
  };
}
