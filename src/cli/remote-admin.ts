// The operator's commands over the admin door of a running server.

import { ServiceError } from "../call/index.ts";
import { askOverSocket } from "../http/index.ts";
import type { Admin, ServerStatus } from "../service/index.ts";

export interface RemoteAdmin extends Admin {
  status(): Promise<ServerStatus>;
}

/** A change waits for the disk, and perhaps for others before it. */
const PATIENCE_MS = 30_000;

/** Undefined when nobody answers there. */
export async function connectAdmin(socketPath: string): Promise<RemoteAdmin | undefined> {
  const remote = createRemoteAdmin(socketPath);
  try {
    await remote.status();
    return remote;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return undefined;
  }
}

function createRemoteAdmin(socketPath: string): RemoteAdmin {
  // The server on the other end is of the same release, so its replies are taken as typed.
  const ask = async <T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> => {
    const timeoutMs = PATIENCE_MS;
    const { status, value } = await askOverSocket({ socketPath, method, path, body, timeoutMs });
    if (status === 200) return value as T;
    throw readError(status, value);
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
  };
}

function readError(status: number, value: unknown): ServiceError {
  const message =
    typeof value === "object" && value !== null && "message" in value
      ? String(value.message)
      : `The server answered ${status}`;
  return new ServiceError({ status, type: "server_error", message });
}
