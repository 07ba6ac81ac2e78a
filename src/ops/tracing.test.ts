import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import type { Log } from "./log.ts";
import { createTracing, tracesAddress } from "./tracing.ts";

const KEY = "inf-0b5e7a52-9f0c-4a6e-8f1d-3c2b1a098765";
const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const SERVER_KIND = 2;
const CLIENT_KIND = 3;
const ERROR_STATUS = 2;

type WireValue = {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: WireValue[] };
};
type WireAttribute = { key: string; value: WireValue };
type WireSpan = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  status?: { code?: number };
  attributes: WireAttribute[];
};
type WireBody = {
  resourceSpans: {
    resource: { attributes: WireAttribute[] };
    scopeSpans: { spans: WireSpan[] }[];
  }[];
};

const plain = (value: WireValue): unknown =>
  value.arrayValue ? value.arrayValue.values.map(plain) : Object.values(value)[0];
const attributesOf = (span: { attributes: WireAttribute[] } | undefined): Record<string, unknown> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, plain(value)]));

/** Stands in for an OpenTelemetry collector. */
async function collector(
  t: TestContext,
  answer: (response: ServerResponse) => void = (response) => response.end("{}"),
) {
  const bodies: string[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    paths.push(request.url);
    bodies.push(await text(request));
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const parsed = (): WireBody[] => bodies.map((body): WireBody => JSON.parse(body));
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    paths,
    bodies,
    resources: () => parsed().flatMap((body) => body.resourceSpans.map((r) => r.resource)),
    spans: () =>
      parsed().flatMap((body) =>
        body.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((scope) => scope.spans)),
      ),
  };
}

function fakeLog(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const ignore = (): void => {};
  const log: Log = {
    debug: ignore,
    info: ignore,
    warn: (_fields, message) => warnings.push(message),
    error: ignore,
    child: () => log,
  };
  return { log, warnings };
}

const open = (endpoint: string | null, more: { sampleRatio?: number; log?: Log } = {}) =>
  createTracing({
    endpoint,
    sampleRatio: 1,
    version: "1.2.3",
    log: fakeLog().log,
    environment: {},
    ...more,
  });

const request = {
  requestId: "req_1",
  method: "POST",
  route: "/v1/chat/completions",
  path: "/v1/chat/completions",
} as const;

test("a request and its inference become two spans of the caller's trace", async (t) => {
  const { endpoint, paths, spans, resources } = await collector(t);
  const tracing = await open(endpoint);
  const trace = tracing.start({ ...request, traceparent: TRACEPARENT, tracestate: "vendor=1" });
  const inference = trace?.inference({
    provider: "openai",
    model: "my-haiku",
    maxOutputTokens: 256,
    temperature: 0.7,
    topP: 0.9,
    stream: true,
  });
  inference?.end({
    responseModel: "Qwen/Qwen3-8B",
    finishReason: "tool_calls",
    usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 4, estimated: false },
    firstTokenSeconds: 0.25,
  });
  trace?.end({ status: 200 });
  await tracing.close();

  assert.deepEqual(paths, ["/v1/traces"]);
  const server = spans().find(({ kind }) => kind === SERVER_KIND);
  const client = spans().find(({ kind }) => kind === CLIENT_KIND);
  assert.equal(spans().length, 2);
  assert.equal(server?.name, "POST /v1/chat/completions");
  assert.equal(server?.traceId, CALLER.traceId);
  assert.equal(server?.parentSpanId, CALLER.spanId);
  assert.equal(trace?.traceId, CALLER.traceId);
  assert.deepEqual(attributesOf(server), {
    "http.request.method": "POST",
    "http.route": "/v1/chat/completions",
    "url.path": "/v1/chat/completions",
    "hearth.request.id": "req_1",
    "http.response.status_code": 200,
  });
  assert.equal(client?.name, "chat my-haiku");
  assert.equal(client?.traceId, CALLER.traceId);
  assert.equal(client?.parentSpanId, server?.spanId);
  assert.deepEqual(attributesOf(client), {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.system": "openai",
    "gen_ai.request.model": "my-haiku",
    "gen_ai.request.max_tokens": 256,
    "gen_ai.request.temperature": 0.7,
    "gen_ai.request.top_p": 0.9,
    "gen_ai.request.stream": true,
    "gen_ai.response.model": "Qwen/Qwen3-8B",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.response.time_to_first_chunk": 0.25,
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.usage.cache_read.input_tokens": 4,
  });
  assert.equal(inference?.traceparent, `00-${CALLER.traceId}-${client?.spanId}-01`);
  assert.equal(inference?.tracestate, "vendor=1");
  const { "service.name": name, "service.version": version } = attributesOf(resources()[0]);
  assert.deepEqual({ name, version }, { name: "hearth", version: "1.2.3" });
});

test("without a caller's header, or with a broken one, a trace of our own begins", async (t) => {
  const { endpoint, spans } = await collector(t);
  const tracing = await open(endpoint);
  tracing.start(request)?.end({ status: 200 });
  tracing.start({ ...request, traceparent: "00-garbage" })?.end({ status: 200 });
  await tracing.close();
  assert.equal(spans().length, 2);
  assert.ok(spans().every(({ parentSpanId }) => !parentSpanId));
  assert.notEqual(spans()[0]?.traceId, spans()[1]?.traceId);
});

test("failures are told by their kind; a refused request is no failure of ours", async (t) => {
  const { endpoint, spans } = await collector(t);
  const tracing = await open(endpoint);
  const failed = tracing.start(request);
  failed?.inference({ provider: "openai", model: "a" }).end({ errorType: "timeout_error" });
  failed?.end({ status: 504, errorType: "timeout_error" });
  const refused = tracing.start({ ...request, route: "/v1/embeddings" });
  refused?.end({ status: 429, errorType: "rate_limit_error" });
  await tracing.close();
  const byName = Object.fromEntries(spans().map((span) => [span.name, span]));
  for (const name of ["chat a", "POST /v1/chat/completions"]) {
    assert.equal(byName[name]?.status?.code, ERROR_STATUS, name);
    assert.equal(attributesOf(byName[name])["error.type"], "timeout_error");
  }
  const refusedSpan = byName["POST /v1/embeddings"];
  assert.notEqual(refusedSpan?.status?.code, ERROR_STATUS);
  assert.equal(attributesOf(refusedSpan)["error.type"], "rate_limit_error");
  assert.equal(attributesOf(refusedSpan)["http.response.status_code"], 429);
});

test("the caller's decision to sample goes before the share, and is passed on", async (t) => {
  const { endpoint, spans, bodies } = await collector(t);
  const tracing = await open(endpoint, { sampleRatio: 0 });
  const ours = tracing.start(request);
  const inference = ours?.inference({ provider: "openai", model: "a" });
  inference?.end({});
  ours?.end({ status: 200 });
  assert.match(inference?.traceparent ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  tracing.start({ ...request, traceparent: TRACEPARENT })?.end({ status: 200 });
  await tracing.close();
  assert.deepEqual(
    spans().map(({ traceId }) => traceId),
    [CALLER.traceId],
  );
  assert.equal(bodies.length, 1);
});

test("a key in the path or the request id does not reach the collector", async (t) => {
  const { endpoint, bodies } = await collector(t);
  const tracing = await open(endpoint);
  tracing.start({ ...request, path: `/v1/${KEY}`, requestId: KEY })?.end({ status: 404 });
  await tracing.close();
  assert.equal(bodies.length, 1);
  assert.doesNotMatch(bodies[0] ?? "", /inf-0b5e/);
});

test("a collector that refuses costs one warning, not one a batch", async (t) => {
  const { endpoint, bodies } = await collector(t, (response) => response.writeHead(400).end());
  const { log, warnings } = fakeLog();
  const tracing = await open(endpoint, { log });
  for (let i = 0; i < 1_200; i++) tracing.start(request)?.end({ status: 200 });
  await tracing.close();
  assert.ok(bodies.length > 1);
  assert.deepEqual(warnings, ["traces cannot be sent"]);
});

test("what a collector does not take is dropped beyond a bound", async (t) => {
  const { endpoint, spans } = await collector(t);
  const tracing = await open(endpoint);
  for (let i = 0; i < 20_000; i++) tracing.start(request)?.end({ status: 200 });
  await tracing.close();
  assert.ok(spans().length <= 4_096, String(spans().length));
});

test("a collector that never answers does not hold up the end", async (t) => {
  const { endpoint } = await collector(t, () => {});
  const { log, warnings } = fakeLog();
  const tracing = await createTracing({
    endpoint,
    sampleRatio: 1,
    version: "1",
    log,
    environment: {},
    timeoutMs: 20,
  });
  tracing.start(request)?.end({ status: 200 });
  await tracing.close();
  assert.ok(warnings.length > 0);
});

test("without a collector there is no trace", async () => {
  const tracing = await open(null);
  assert.equal(tracing.start({ ...request, traceparent: TRACEPARENT }), undefined);
  await tracing.close();
});

async function modulesLoaded(endpoint: string | null): Promise<string> {
  const index = JSON.stringify(import.meta.resolve("./index.ts"));
  const source = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context); loaded.push(found.url); return found;
    } });
    const { createTracing } = await import(${index});
    const log = { warn() {}, info() {} };
    await createTracing({ endpoint: ${JSON.stringify(endpoint)}, sampleRatio: 1, version: "1", log, environment: {} });
    console.log(loaded.join("\\n"));
    process.exit(0);`;
  const running = spawn(process.execPath, ["--input-type=module", "-e", source]);
  const [output] = await Promise.all([text(running.stdout), once(running, "close")]);
  assert.equal(running.exitCode, 0);
  return output;
}

test("OpenTelemetry's SDK is loaded only when a collector is configured", async () => {
  const sdk = /@opentelemetry\/(sdk|exporter|resources|otlp)|otlp-tracing\.ts/;
  const off = await modulesLoaded(null);
  assert.match(off, /tracing\.ts/);
  assert.doesNotMatch(off, sdk);
  assert.match(await modulesLoaded("http://127.0.0.1:9"), sdk);
});

test("the collector's address follows the rules of OTLP", () => {
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://base:4318/" };
  const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://exact:4318/here" };
  assert.equal(tracesAddress(null, {}), undefined);
  assert.equal(tracesAddress(null, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }), undefined);
  assert.equal(tracesAddress("http://config:4318", {}), "http://config:4318/v1/traces");
  assert.equal(tracesAddress("http://config:4318/v1/traces", {}), "http://config:4318/v1/traces");
  assert.equal(tracesAddress(null, base), "http://base:4318/v1/traces");
  assert.equal(tracesAddress(null, { ...base, ...traces }), "http://exact:4318/here");
  assert.equal(
    tracesAddress("http://config:4318", { ...base, ...traces }),
    "http://config:4318/v1/traces",
  );
  assert.equal(tracesAddress("http://config:4318", { OTEL_SDK_DISABLED: "true" }), undefined);
});
