import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog, type ServiceLog } from "./log.ts";

const KEY = "inf-0b5e7a52-9f0c-4a6e-8f1d-3c2b1a098765";
const SECRETS = /inf-0b5e|3c2b1a098765|hunter2|sk-ant-api03/i;

function capture(level = "debug", now?: () => number): { log: ServiceLog; lines: () => string[] } {
  const lines: string[] = [];
  const destination = { write: (text: string) => lines.push(text) };
  const log = createLog(now ? { level, destination, now } : { level, destination });
  return { log, lines: () => lines };
}

const parsed = (line: string | undefined): Record<string, unknown> => JSON.parse(line ?? "");

test("a line is JSON with level, UTC time, fields and message, and nothing else", () => {
  const { log, lines } = capture("info", () => Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  log.info({ port: 8080 }, "listening");
  assert.equal(
    lines()[0],
    '{"level":"info","time":"2026-01-02T03:04:05.006Z","port":8080,"msg":"listening"}\n',
  );
});

test("the time moves on with the clock, also into the next second", () => {
  let now = Date.UTC(2026, 11, 31, 23, 59, 59, 998);
  const { log, lines } = capture("info", () => now);
  for (; now < Date.UTC(2027, 0, 1) + 2; now++) log.info({}, "tick");
  assert.deepEqual(
    lines().map((line) => parsed(line).time),
    [
      "2026-12-31T23:59:59.998Z",
      "2026-12-31T23:59:59.999Z",
      "2027-01-01T00:00:00.000Z",
      "2027-01-01T00:00:00.001Z",
    ],
  );
});

test("lines below the level are not written, request lines included", () => {
  const { log, lines } = capture("warn");
  log.debug({}, "no");
  log.info({}, "no");
  log.child({ part: "x" }).info({}, "no");
  log.request({ ...served, status: 200 });
  assert.deepEqual(lines(), []);
  log.warn({}, "yes");
  log.error({}, "yes");
  log.request({ ...served, status: 502, outcome: "error" });
  assert.equal(lines().length, 3);

  const silent = capture("silent");
  silent.log.error({}, "no");
  silent.log.request({ ...served, status: 502, outcome: "error" });
  assert.deepEqual(silent.lines(), []);
});

test("a child's bindings are on each of its lines", () => {
  const { log, lines } = capture();
  log.child({ engine: "my-haiku" }).child({ target: "a" }).warn({ tries: 2 }, "failed");
  const { engine, target, tries } = parsed(lines()[0]);
  assert.deepEqual({ engine, target, tries }, { engine: "my-haiku", target: "a", tries: 2 });
});

test("an error is written with its type, message, stack and causes", () => {
  const { log, lines } = capture();
  log.error({ err: new TypeError("outer", { cause: new Error("inner") }) }, "failed");
  const { err } = parsed(lines()[0]);
  assert.match(JSON.stringify(err), /"type":"TypeError".*outer: inner.*log\.test\.ts/);
});

const mistakes: Record<string, (log: ServiceLog) => void> = {
  "the message": (log) => log.info({}, `no resource for ${KEY}`),
  "a field": (log) => log.info({ key: KEY }, "x"),
  "a field's name": (log) => log.info({ [KEY]: 1 }, "x"),
  "a nested object": (log) => log.info({ a: { b: [{ c: `k=${KEY}&d` }] } }, "x"),
  "an error's message": (log) => log.error({ err: new Error(`bad key ${KEY}`) }, "x"),
  "an error's cause": (log) =>
    log.error({ err: new Error("a", { cause: new Error("b", { cause: new Error(KEY) }) }) }, "x"),
  "an error's field": (log) => log.error({ err: Object.assign(new Error("a"), { key: KEY }) }, "x"),
  "one error of several": (log) => log.error({ err: new AggregateError([new Error(KEY)]) }, "x"),
  "a child's binding": (log) => log.child({ key: KEY }).info({}, "x"),
  "capital letters": (log) => log.info({ key: KEY.toUpperCase() }, "x"),
  "an Authorization header": (log) =>
    log.info({ headers: { authorization: "Bearer hunter2.hunter2" } }, "x"),
  "a lower-case scheme with a tab": (log) => log.info({ header: "bearer\thunter2" }, "x"),
  "an escaped header inside a text": (log) =>
    log.info({ text: JSON.stringify({ authorization: "Bearer hunter2" }) }, "x"),
  "a vendor's key": (log) => log.info({ apiKey: "sk-ant-api03-AbCdEf_0123456789" }, "x"),
  "a request line": (log) => log.request({ ...served, route: `/v1/${KEY}`, model: KEY }),
  "a request object": (log) =>
    log.info({ method: "GET", headers: { "x-api-key": KEY }, socket: {} }, "x"),
};

for (const [place, mistake] of Object.entries(mistakes)) {
  test(`a key passed by mistake in ${place} does not reach the log`, () => {
    const { log, lines } = capture();
    mistake(log);
    assert.equal(lines().length, 1);
    assert.doesNotMatch(lines()[0] ?? "", SECRETS);
    assert.match(lines()[0] ?? "", /\[redacted\]/);
    assert.doesNotThrow(() => parsed(lines()[0]));
  });
}

test("names that only look like keys stay readable", () => {
  const { log, lines } = capture();
  const fields = {
    resource: "inference-amber-4821",
    model: "inf-tiny",
    task: "task-management-x1",
  };
  log.info(fields, "x");
  const { resource, model, task } = parsed(lines()[0]);
  assert.deepEqual({ resource, model, task }, fields);
});

const served = {
  requestId: "req_1",
  method: "POST",
  route: "/v1/chat/completions",
  status: 200,
  outcome: "ok",
  durationMs: 12.3456,
} as const;

test("a request leaves one line with its numbers", () => {
  const { log, lines } = capture("info", () => 0);
  log.request({
    ...served,
    model: "my-haiku",
    resource: "inference-amber-4821",
    usage: {
      promptTokens: 10,
      completionTokens: 5,
      cachedTokens: 4,
      reasoningTokens: 2,
      estimated: false,
    },
    ttftMs: 4.56789,
  });
  assert.deepEqual(parsed(lines()[0]), {
    level: "info",
    time: "1970-01-01T00:00:00.000Z",
    requestId: "req_1",
    method: "POST",
    route: "/v1/chat/completions",
    status: 200,
    outcome: "ok",
    model: "my-haiku",
    resource: "inference-amber-4821",
    promptTokens: 10,
    completionTokens: 5,
    cachedTokens: 4,
    reasoningTokens: 2,
    durationMs: 12.35,
    ttftMs: 4.57,
    msg: "request",
  });
});

test("what a request does not have is not in its line", () => {
  const { log, lines } = capture();
  log.request({ ...served, usage: { promptTokens: 1, completionTokens: 2, estimated: true } });
  const line = parsed(lines()[0]);
  assert.equal(line.estimated, true);
  for (const absent of ["model", "resource", "cachedTokens", "reasoningTokens", "ttftMs"]) {
    assert.ok(!(absent in line), absent);
  }
});

test("text from outside cannot break out of its field or start a second line", () => {
  const { log, lines } = capture();
  const hostile = 'x","level":"fatal"}\n{"msg":"forged\u2028\ud800\u0000';
  log.request({ ...served, requestId: hostile, method: hostile, route: hostile, model: hostile });
  log.info({ hostile }, hostile);
  for (const line of lines()) {
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.notEqual(parsed(line).level, "fatal");
  }
  assert.equal(parsed(lines()[0]).route, hostile);
});

test("a request that failed here or broke mid-stream is a warning, a refused one is not", () => {
  const { log, lines } = capture();
  log.request({ ...served, status: 500, outcome: "error" });
  log.request({ ...served, status: 200, outcome: "error" });
  log.request({ ...served, status: 429, outcome: "error" });
  log.request({ ...served, status: 499, outcome: "aborted" });
  assert.deepEqual(
    lines().map((line) => parsed(line).level),
    ["warn", "warn", "info", "info"],
  );
});
