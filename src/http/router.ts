// Paths to routes: two map look-ups, no patterns. Everything that is not found is explained
// here, so that a caller learns whether the path, the method or the offer is missing.

import { notFound, ServiceError } from "../call/index.ts";
import type { Exchange } from "./exchange.ts";

export type Route = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Answers the exchange, or throws a ServiceError for the server to render. */
  handle(exchange: Exchange): void | Promise<void>;
  /** The error body in the route's own convention; default: the service's. */
  readonly renderError?: (error: ServiceError, requestId: string) => string;
};

export interface Router {
  /** Throws 404 or 405. */
  find(method: string, path: string): Route;
  /** The methods a path answers, for preflight requests; undefined when there is no such path. */
  methods(path: string): string | undefined;
}

export type RouterOptions = {
  readonly routes: readonly Route[];
  /** Paths of the convention that this service does not offer, and says so. */
  readonly notOffered?: readonly string[];
};

export function createRouter({ routes, notOffered = [] }: RouterOptions): Router {
  const paths = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, Route>();
    methods.set(route.method, route);
    if (route.method === "GET") methods.set("HEAD", route);
    paths.set(route.path, methods);
  }
  const absent = new Set(notOffered);
  const allowed = (methods: Map<string, Route>) => [...methods.keys()].join(", ");

  return {
    find(method, path) {
      const methods = paths.get(path);
      const route = methods?.get(method);
      if (route !== undefined) return route;
      if (methods !== undefined) {
        const allow = allowed(methods);
        throw new ServiceError({
          status: 405,
          type: "invalid_request_error",
          message: `${shown(path)} does not answer ${shown(method)}; use ${allow}`,
          headers: { Allow: allow },
        });
      }
      throw notFound(
        absent.has(path)
          ? `${path} is not offered by this service`
          : `There is no route ${shown(path)}; the routes are listed in the API description`,
      );
    },
    methods(path) {
      const methods = paths.get(path);
      return methods === undefined ? undefined : allowed(methods);
    },
  };
}

const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
