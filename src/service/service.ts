// Everything put together, and taken apart again in reverse. This is the only place that
// knows all the parts; each part knows only what it is handed.

import { setTimeout as pause } from "node:timers/promises";
import type { Catalog } from "../catalog/index.ts";
import { type Config, parseDuration, parseSize } from "../config/index.ts";
import { adminSocketPath } from "../data-directory/index.ts";
import { renderError } from "../dialects/index.ts";
import { createAdmission, createMemorySharedState, type Resource } from "../gate/index.ts";
import { createRouter, type Exchange, HttpServer, type HttpSettings } from "../http/index.ts";
import { createHealth, createMetrics, createTracing, type ServiceLog } from "../ops/index.ts";
import { VERSION } from "../version.ts";
import {
  createWeightsStore,
  type PullProgress,
  type WeightsStore,
  weightsDirectory,
} from "../weights/index.ts";
import { type Admin, type CreatedResource, createAdmin } from "./admin.ts";
import { createAdminRoutes, type ServerStatus } from "./admin-routes.ts";
import { listenOnSocket } from "./admin-socket.ts";
import { createBookings } from "./bookings.ts";
import { createChatRoute } from "./chat-route.ts";
import { createDefaultResources } from "./default-resources.ts";
import { createDoor } from "./door.ts";
import { createExchangeReporter } from "./exchange-reporter.ts";
import { type Engines, openEngines } from "./open-engines.ts";
import { openState } from "./open-state.ts";
import { createPublicRoutes, NOT_OFFERED } from "./public-routes.ts";

export type ServiceOptions = {
  readonly config: Config;
  readonly dataDirectory: string;
  readonly log: ServiceLog;
  /** What a relative file: path in the configuration starts from; default: here. */
  readonly configDirectory?: string;
  /** Default: that of the data directory. */
  readonly weights?: WeightsStore;
  /** Hears of every step of a pull; default: the log, every few seconds. */
  readonly onPull?: (model: string, progress: PullProgress | "done") => void;
};

export interface Service {
  /** The address that callers use. */
  readonly url: string;
  readonly admin: Admin;
  readonly catalog: Catalog;
  /** What the first start provisioned, with the keys; empty on every later one. */
  readonly firstResources: readonly CreatedResource[];
  /** The provisioned models whose weights are being fetched now. */
  readonly fetching: Promise<readonly string[]>;
  /** Drains as the settings say; resolves when nothing is left running. */
  stop(): Promise<void>;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, dataDirectory, log } = options;
  const startedAt = performance.now();
  await using opened = new AsyncDisposableStack();

  const health = createHealth();
  const tracing = await createTracing({
    endpoint: config.tracing.otlp_endpoint,
    sampleRatio: config.tracing.sample_ratio,
    version: VERSION,
    log,
  });
  opened.defer(() => tracing.close());
  const { catalog, store, keyRing, provisioning } = await openState({
    config,
    dataDirectory,
    onProblem: (problem) => log.warn({ err: problem }, "the store reports a problem"),
  });
  opened.defer(() => store.close());
  const sharedState = createMemorySharedState();
  opened.defer(() => sharedState.close());
  const admission = createAdmission({ sharedState });
  const metrics = createMetrics({ models: catalog.all().map(({ id }) => id), version: VERSION });
  opened.defer(() => metrics.close());
  const engines = openEngines({
    catalog,
    config,
    weights: options.weights ?? openWeights(options),
    dataDirectory,
    metrics,
    log,
    onPull: options.onPull,
  });
  opened.defer(() => engines.close());
  metrics.watchEngines(engines.readings);
  metrics.watchLocalModels(engines.localReadings);
  metrics.watchLedger(() => store.ledger.waitingBytes());

  const operators = [config.operator.name, ...config.operator.aliases];
  const { ledger } = store;
  const bookings = createBookings({ ledger, log, metrics });
  opened.defer(() => bookings.flush());
  const door = createDoor({ admission, engines: engines.chat, bookings, metrics, now: Date.now });
  const reporter = createExchangeReporter({ log, metrics, tracing });
  const settings = httpSettings(config);
  const onFault = (error: unknown, { requestId }: Exchange): void =>
    log.error({ err: error, requestId }, "a handler failed");

  const routes = createPublicRoutes({
    keyRing,
    catalog,
    admission,
    health,
    metrics,
    metricsToken: config.metrics.token,
    operators,
    chat: createChatRoute({ door, catalog, operators, now: Date.now }),
  });
  const server = new HttpServer({
    settings,
    router: createRouter({ routes, notOffered: NOT_OFFERED }),
    renderError,
    onStart: reporter.started,
    onDone: reporter.done,
    onFault,
  });
  metrics.watchStreams(() => server.openStreams);
  await server.listen({ host: config.http.host, port: config.http.port });
  opened.defer(() => server.stop(parseDuration(config.shutdown.grace)));
  opened.defer(() => pause(parseDuration(config.shutdown.drain)));

  const url = config.http.public_url ?? localUrl(config.http.host, server.port);
  const admin = createAdmin({ provisioning, catalog, ledger, baseUrl: () => url });
  const status = (): ServerStatus => ({
    version: VERSION,
    pid: process.pid,
    url,
    uptime_seconds: Math.round((performance.now() - startedAt) / 1000),
    engines: engines.readings().flatMap(({ model, targets }) =>
      targets.map(({ name, state, inFlight }) => ({
        model,
        target: name,
        state,
        in_flight: inFlight,
      })),
    ),
  });
  const adminServer = (token: string | null): HttpServer => {
    const router = createRouter({ routes: createAdminRoutes({ admin, status, token }) });
    return new HttpServer({ settings, router, renderError, onFault });
  };
  if (config.admin.socket) {
    const local = adminServer(null);
    await listenOnSocket(local, adminSocketPath(dataDirectory));
    opened.defer(() => local.stop(0));
  }
  if (config.admin.port !== null) {
    const remote = adminServer(config.admin.token);
    await remote.listen({ host: config.admin.host, port: config.admin.port });
    opened.defer(() => remote.stop(0));
  }
  opened.defer(() => health.drain());
  const firstResources = await createDefaultResources({ store, admin, catalog, config });
  const fetching = prepareModels(await admin.resources(), engines);
  health.ready();

  const held = opened.move();
  return { url, admin, catalog, firstResources, fetching, stop: () => held.disposeAsync() };
}

const openWeights = ({ dataDirectory, configDirectory }: ServiceOptions): WeightsStore =>
  createWeightsStore({
    directory: weightsDirectory(dataDirectory),
    environment: process.env,
    ...(configDirectory !== undefined && { configDirectory }),
  });

/** Weights are fetched for models that somebody holds a key for; the start does not wait. */
async function prepareModels(
  resources: readonly Resource[],
  engines: Engines,
): Promise<readonly string[]> {
  const models = [...new Set(resources.flatMap(({ model }) => model ?? []))];
  const fetched = await Promise.all(models.map((model) => engines.prepare(model)));
  return models.filter((_, index) => fetched[index]);
}

function httpSettings({ http }: Config): HttpSettings {
  return {
    bodyLimit: parseSize(http.body_limit),
    headerTimeoutMs: parseDuration(http.header_timeout),
    bodyTimeoutMs: parseDuration(http.body_timeout),
    keepAliveTimeoutMs: parseDuration(http.keep_alive_timeout),
    writeTimeoutMs: parseDuration(http.write_timeout),
    pingMs: parseDuration(http.ping_interval),
    corsOrigins: http.cors_origins,
    maxConnections: http.max_connections,
  };
}

function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
