// The authenticated side of a route: who calls, which models it reaches, and how it stands
// against its limits. Every authenticated reply says the latter, errors included.

import { ServiceError } from "../call/index.ts";
import type { Catalog, Model } from "../catalog/index.ts";
import {
  type Admission,
  type KeyRing,
  type Resource,
  rateLimitHeaders,
  reachModel,
  type Standing,
} from "../gate/index.ts";
import type { Exchange, Route } from "../http/index.ts";

export type CallerOptions = {
  readonly keyRing: KeyRing;
  readonly catalog: Catalog;
  readonly admission: Admission;
};

export class Caller {
  readonly resource: Resource;
  readonly exchange: Exchange;
  readonly #options: CallerOptions;
  #model: Model | undefined;
  #announced = false;

  constructor(exchange: Exchange, resource: Resource, options: CallerOptions) {
    this.exchange = exchange;
    this.resource = resource;
    this.#options = options;
    exchange.report.resource = resource.name;
    if (resource.model !== null) this.#model = options.catalog.find(resource.model);
  }

  /** The model of that id; throws 403 when this key does not reach it. */
  reach(modelId: string): Model {
    const model = reachModel(this.resource, modelId, this.#options.catalog);
    this.#model = model;
    this.exchange.report.model = model.id;
    return model;
  }

  /**
   * Notes which model a body asks for before anything else is known of it, so that a refusal of
   * the body can say how the key stands with that model.
   */
  suppose(body: unknown): void {
    if (typeof body !== "object" || body === null || !("model" in body)) return;
    if (typeof body.model !== "string" || this.resource.model !== null) return;
    const model = this.#options.catalog.find(body.model);
    if (model !== undefined && model.engines.length > 0) this.#model = model;
  }

  /** Puts the rate-limit headers on the reply. */
  announce(standing: Standing): void {
    this.#announced = true;
    this.exchange.addHeaders(rateLimitHeaders(standing));
  }

  async announceCurrent(): Promise<void> {
    if (this.#announced || this.#model === undefined) return;
    const owner = { resource: this.resource, model: this.#model };
    this.announce(await this.#options.admission.standing(owner));
  }
}

export type CallerRoute = Pick<Route, "method" | "path" | "renderError"> & {
  /** Whether the key may also come as `x-api-key`. */
  readonly apiKeyHeader?: boolean;
  handle(caller: Caller): void | Promise<void>;
};

/** A refusal by the limits carries the standing it was decided on. */
const statesStanding = (error: unknown): boolean =>
  error instanceof ServiceError &&
  Object.keys(error.headers).some((name) => name.startsWith("X-RateLimit-"));

/** A route that only keys reach. */
export function forCallers(options: CallerOptions, route: CallerRoute): Route {
  return {
    ...route,
    async handle(exchange) {
      const resource = options.keyRing.authenticate(
        exchange.header("authorization"),
        route.apiKeyHeader === true ? exchange.header("x-api-key") : undefined,
      );
      const caller = new Caller(exchange, resource, options);
      try {
        await route.handle(caller);
      } catch (error) {
        if (!exchange.replied && !statesStanding(error)) await caller.announceCurrent();
        throw error;
      }
    },
  };
}
