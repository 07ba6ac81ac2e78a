// The operator's commands over the admin door of a running server.

import { Client } from "undici";
import { ServiceError } from "../call/index.ts";
import type { Admin, ServerStatus } from "../service/index.ts";

export interface RemoteAdmin extends Admin {
  status(): Promise<ServerStatus>;
  close(): Promise<void>;
}

/** Undefined when nobody answers there. */
export async function connectAdmin(socketPath: string): Promise<RemoteAdmin | undefined> {
  const client = new Client("http://admin", { socketPath, connectTimeout: 2000 });
  const remote = createRemoteAdmin(client);
  try {
    await remote.status();
    return remote;
  } catch (error) {
    await client.close();
    if (error instanceof ServiceError) throw error;
    return undefined;
  }
}

function createRemoteAdmin(client: Client): RemoteAdmin {
  // The server on the other end is of the same release, so its replies are taken as typed.
  const ask = async <T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> => {
    const reply = await client.request({
      method,
      path,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const value = await reply.body.json();
    if (reply.statusCode === 200) return value as T;
    throw readError(reply.statusCode, value);
  };
  const filtered = (path: string, filter: Record<string, string | undefined>): string => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) {
      if (value !== undefined) query.set(name, value);
    }
    return `${path}?${query}`;
  };
  return {
    status: () => ask("GET", "/status"),
    env: () => ask("GET", "/env"),
    models: () => ask("GET", "/models"),
    resources: () => ask("GET", "/resources"),
    info: (resource) => ask("GET", filtered("/resource", { resource })),
    usage: (filter = {}) =>
      ask("GET", filtered("/usage", { resource_id: filter.resourceId, model: filter.model })),
    create: (request) => ask("POST", "/resources", request),
    rotate: (resource) => ask("POST", "/rotate", { resource }),
    destroy: (resource) => ask("POST", "/destroy", { resource }),
    close: () => client.close(),
  };
}

function readError(status: number, value: unknown): ServiceError {
  const message =
    typeof value === "object" && value !== null && "message" in value
      ? String(value.message)
      : `The server answered ${status}`;
  return new ServiceError({ status, type: "server_error", message });
}
