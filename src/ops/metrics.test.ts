import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics, type Metrics } from "./metrics.ts";

const ROUTE = "/v1/chat/completions";
const KEY = "inf-0b5e7a52-9f0c-4a6e-8f1d-3c2b1a098765";

type Sample = { name: string; labels: Record<string, string>; value: number };
type Family = { type: string; samples: Sample[] };

const HEAD = /^# (HELP|TYPE) ([a-z_:][a-z0-9_:]*) (.+)$/i;
const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{((?:[a-z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/i;
const LABEL = /([a-z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"/gi;
const ESCAPED: Record<string, string> = { "\\n": "\n", '\\"': '"', "\\\\": "\\" };

/** The Prometheus text format: any line that is none of it fails the test. */
function parse(text: string): Map<string, Family> {
  assert.ok(text.endsWith("\n"));
  const families = new Map<string, Family>();
  let current: Family | undefined;
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const [, keyword, family, rest] = HEAD.exec(line) ?? [];
    if (keyword === "TYPE" && family !== undefined && rest !== undefined) {
      assert.ok(!families.has(family), `${family} is there twice`);
      current = { type: rest, samples: [] };
      families.set(family, current);
    }
    if (keyword !== undefined) continue;
    const [, name, labelText = "", value] = SAMPLE.exec(line) ?? [];
    assert.ok(name !== undefined && value !== undefined && current !== undefined, line);
    const labels = Object.fromEntries(
      Array.from(labelText.matchAll(LABEL), ([, label = "", escaped = ""]) => [
        label,
        escaped.replace(/\\./g, (pair) => ESCAPED[pair] ?? pair),
      ]),
    );
    const number = value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value);
    assert.ok(!Number.isNaN(number), line);
    current.samples.push({ name, labels, value: number });
  }
  return families;
}

async function scrape(metrics: Metrics): Promise<{
  families: Map<string, Family>;
  value(name: string, labels?: Record<string, string>): number | undefined;
}> {
  const families = parse(await metrics.text());
  const samples = [...families.values()].flatMap((family) => family.samples);
  return {
    families,
    value: (name, labels = {}) =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )?.value,
  };
}

const create = (models = ["my-haiku", "other-model"]): Metrics =>
  createMetrics({ models, version: "1.2.3" });

test("a served request is in every family it belongs to", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  const meter = metrics.meter(ROUTE, "my-haiku");
  meter.started();
  meter.limited("admitted");
  meter.firstToken(0.2);
  meter.gap(0.004);
  meter.gap(0.04);
  meter.used({
    promptTokens: 100,
    completionTokens: 20,
    cachedTokens: 64,
    reasoningTokens: 5,
    estimated: false,
  });
  meter.finished({ status: 200, seconds: 1.5, overheadSeconds: 0.0003 });
  const { value } = await scrape(metrics);
  const model = "my-haiku";
  assert.equal(value("hearth_requests_total", { route: ROUTE, model, status: "200" }), 1);
  const duration = "hearth_request_duration_seconds";
  assert.equal(value(`${duration}_count`, { route: ROUTE, model }), 1);
  assert.equal(value(`${duration}_sum`, { route: ROUTE, model }), 1.5);
  assert.equal(value(`${duration}_bucket`, { route: ROUTE, model, le: "1" }), 0);
  assert.equal(value(`${duration}_bucket`, { route: ROUTE, model, le: "2.5" }), 1);
  assert.equal(value(`${duration}_bucket`, { route: ROUTE, model, le: "+Inf" }), 1);
  for (const [kind, count] of Object.entries({
    prompt: 100,
    completion: 20,
    cached: 64,
    reasoning: 5,
  })) {
    assert.equal(value("hearth_tokens_total", { model, kind }), count, kind);
  }
  assert.equal(value("hearth_time_to_first_token_seconds_sum", { model }), 0.2);
  assert.equal(value("hearth_inter_token_seconds_count", { model }), 2);
  assert.equal(value("hearth_inter_token_seconds_bucket", { model, le: "0.005" }), 1);
  assert.equal(value("hearth_overhead_seconds_sum", { route: ROUTE }), 0.0003);
  assert.equal(value("hearth_limit_decisions_total", { model, decision: "admitted" }), 1);
  assert.equal(value("hearth_limit_decisions_total", { model, decision: "tokens" }), 0);
  assert.equal(value("hearth_in_flight", { route: ROUTE }), 0);
  assert.equal(value("hearth_open_streams"), 0);
});

test("every family has its type, and histograms add up", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  const meter = metrics.meter(ROUTE, "my-haiku");
  for (let seconds = 0.0001; seconds < 2_000; seconds *= 3) {
    meter.started();
    meter.firstToken(seconds);
    meter.gap(seconds);
    meter.finished({ status: 200, seconds, overheadSeconds: seconds / 1_000 });
  }
  const { families } = await scrape(metrics);
  const types = Object.fromEntries(
    [...families].filter(([name]) => name.startsWith("hearth_")).map(([n, f]) => [n, f.type]),
  );
  assert.deepEqual(types, {
    hearth_requests_total: "counter",
    hearth_request_duration_seconds: "histogram",
    hearth_overhead_seconds: "histogram",
    hearth_in_flight: "gauge",
    hearth_open_streams: "gauge",
    hearth_tokens_total: "counter",
    hearth_time_to_first_token_seconds: "histogram",
    hearth_inter_token_seconds: "histogram",
    hearth_limit_decisions_total: "counter",
    hearth_upstream_state: "gauge",
    hearth_upstream_in_flight: "gauge",
    hearth_upstream_transitions_total: "counter",
    hearth_local_running: "gauge",
    hearth_local_waiting: "gauge",
    hearth_local_resident_bytes: "gauge",
    hearth_prompt_cache_bytes: "gauge",
    hearth_prompt_cache_entries: "gauge",
    hearth_prompt_cache_hits_total: "counter",
    hearth_prompt_cache_misses_total: "counter",
    hearth_ledger_waiting_bytes: "gauge",
    hearth_ledger_errors_total: "counter",
    hearth_build_info: "gauge",
    hearth_event_loop_lag_seconds: "gauge",
  });
  for (const [name, { type, samples }] of families) {
    if (type !== "histogram" || !name.startsWith("hearth_")) continue;
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
    const counts = buckets.map((sample) => sample.value);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      name,
    );
    assert.equal(buckets.at(-1)?.labels.le, "+Inf");
    const total = samples.find((sample) => sample.name === `${name}_count`)?.value;
    assert.equal(counts.at(-1), total);
    assert.ok(total !== undefined && total > 0, name);
  }
});

test("the tokens of several inferences in one request add up, absent kinds as nothing", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  const meter = metrics.meter("/v1/agents", "my-haiku");
  meter.used({ promptTokens: 10, completionTokens: 2, cachedTokens: 4, estimated: false });
  meter.used({ promptTokens: 20, completionTokens: 3, estimated: true });
  const { value } = await scrape(metrics);
  const kinds = ["prompt", "completion", "cached", "reasoning"];
  assert.deepEqual(
    kinds.map((kind) => value("hearth_tokens_total", { model: "my-haiku", kind })),
    [30, 5, 4, 0],
  );
});

test("requests and streams that run are counted, also when the model is known late", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  metrics.meter(ROUTE).started();
  metrics.meter(ROUTE).started();
  let streams = 1;
  metrics.watchStreams(() => streams);
  const during = await scrape(metrics);
  assert.equal(during.value("hearth_in_flight", { route: ROUTE }), 2);
  assert.equal(during.value("hearth_open_streams"), 1);
  streams = 0;
  metrics.meter(ROUTE, "my-haiku").finished({ status: 200, seconds: 1 });
  metrics.meter(ROUTE).finished({ status: 401, seconds: 0.001 });
  const after = await scrape(metrics);
  assert.equal(after.value("hearth_in_flight", { route: ROUTE }), 0);
  assert.equal(after.value("hearth_open_streams"), 0);
  assert.equal(after.value("hearth_requests_total", { model: "", status: "401" }), 1);
});

test("looking twice changes no count", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  metrics.meter(ROUTE, "my-haiku").limited("requests");
  metrics.meter(ROUTE, "my-haiku").finished({ status: 429, seconds: 0.001 });
  metrics.ledgerFailed();
  const counts = async (): Promise<unknown> => {
    const { value } = await scrape(metrics);
    return [
      value("hearth_requests_total", { status: "429" }),
      value("hearth_limit_decisions_total", { decision: "requests" }),
      value("hearth_ledger_errors_total"),
    ];
  };
  assert.deepEqual(await counts(), [1, 1, 1]);
  assert.deepEqual(await counts(), [1, 1, 1]);
});

test("callers cannot make labels: unknown models and too many routes become `other`", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  for (let i = 0; i < 5_000; i++) {
    metrics.meter(ROUTE, `model-${i}`).finished({ status: 404, seconds: 0.001 });
    metrics.meter(`/path/${i}`, KEY).finished({ status: 404, seconds: 0.001 });
  }
  const { families, value } = await scrape(metrics);
  const samples = families.get("hearth_requests_total")?.samples ?? [];
  assert.ok(samples.length <= 70, String(samples.length));
  assert.deepEqual([...new Set(samples.map(({ labels }) => labels.model))], ["other"]);
  assert.equal(value("hearth_requests_total", { route: ROUTE, model: "other" }), 5_000);
  assert.equal(
    samples.reduce((sum, sample) => sum + sample.value, 0),
    10_000,
  );
  assert.doesNotMatch(await metrics.text(), /inf-0b5e/);
});

test("the same route and model give the same meter", (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  assert.equal(metrics.meter(ROUTE, "my-haiku"), metrics.meter(ROUTE, "my-haiku"));
  assert.notEqual(metrics.meter(ROUTE, "my-haiku"), metrics.meter(ROUTE, "other-model"));
  assert.equal(metrics.meter(ROUTE, "a"), metrics.meter(ROUTE, "b"));
});

test("ids with quotes, backslashes and line ends are escaped", async (t) => {
  const model = 'a"b\\c\nd';
  const metrics = create([model]);
  t.after(() => metrics.close());
  metrics.meter(ROUTE, model).finished({ status: 200, seconds: 0.3 });
  const { value } = await scrape(metrics);
  assert.equal(value("hearth_requests_total", { model }), 1);
  assert.equal(value("hearth_request_duration_seconds_count", { model }), 1);
});

test("a measurement that is no number spoils nothing", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  const meter = metrics.meter(ROUTE, "my-haiku");
  for (const seconds of [Number.NaN, -1, Number.POSITIVE_INFINITY]) meter.gap(seconds);
  meter.gap(0.5);
  const { value } = await scrape(metrics);
  assert.equal(value("hearth_inter_token_seconds_sum", { model: "my-haiku" }), 0.5);
  assert.equal(value("hearth_inter_token_seconds_count", { model: "my-haiku" }), 1);
});

test("models that run inside show their work and their kept prompts while they run", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  const cache = { cacheEntries: 2, cacheBytes: 4096, cacheHits: 9, cacheMisses: 1 };
  const stats = { running: 3, waiting: 1, residentBytes: 7, ...cache };
  let readings = [{ model: "my-haiku", stats }];
  metrics.watchLocalModels(() => readings);
  for (let look = 0; look < 2; look++) {
    const { value } = await scrape(metrics);
    assert.equal(value("hearth_local_running", { model: "my-haiku" }), 3);
    assert.equal(value("hearth_prompt_cache_bytes", { model: "my-haiku" }), 4096);
    assert.equal(value("hearth_prompt_cache_hits_total", { model: "my-haiku" }), 9);
    assert.equal(value("hearth_prompt_cache_misses_total", { model: "my-haiku" }), 1);
  }
  readings = [];
  const { value } = await scrape(metrics);
  assert.equal(value("hearth_local_running", { model: "my-haiku" }), undefined);
});

test("engines and ledger are read when somebody looks", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  let states: ("healthy" | "probing" | "open")[] = ["healthy", "probing", "open"];
  metrics.watchEngines(() => [
    {
      model: "my-haiku",
      targets: states.map((state, n) => ({ name: `target-${n}`, state, inFlight: n })),
    },
  ]);
  let pending = 7;
  metrics.watchLedger(() => pending);
  metrics.upstreamChanged("my-haiku", "target-2", "open");
  const before = await scrape(metrics);
  assert.deepEqual(
    before.families.get("hearth_upstream_state")?.samples.map(({ value }) => value),
    [1, 0.5, 0],
  );
  assert.equal(before.value("hearth_upstream_in_flight", { target: "target-2" }), 2);
  assert.equal(before.value("hearth_upstream_transitions_total", { state: "open" }), 1);
  assert.equal(before.value("hearth_ledger_waiting_bytes"), 7);
  states = ["open"];
  pending = 0;
  const after = await scrape(metrics);
  assert.deepEqual(after.families.get("hearth_upstream_state")?.samples, [
    {
      name: "hearth_upstream_state",
      labels: { model: "my-haiku", target: "target-0" },
      value: 0,
    },
  ]);
  assert.equal(after.value("hearth_ledger_waiting_bytes"), 0);
});

test("the process is measured, and the event loop once only", async (t) => {
  const metrics = create();
  t.after(() => metrics.close());
  const { families, value } = await scrape(metrics);
  assert.equal(value("hearth_build_info", { version: "1.2.3", node: process.versions.node }), 1);
  assert.ok((value("process_resident_memory_bytes") ?? 0) > 1e6);
  assert.deepEqual(
    families.get("hearth_event_loop_lag_seconds")?.samples.map(({ labels }) => labels.quantile),
    ["0.5", "0.99", "1"],
  );
  const names = [...families.keys()].join(" ");
  assert.doesNotMatch(names, /eventloop_lag|active_handles|active_requests/);
  assert.equal(metrics.contentType, "text/plain; version=0.0.4; charset=utf-8");
});
