// Limits as a caller meets them: six headers on whatever its key is answered, and a 429 that
// says when to come back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { after as once, status } from "../support/mock-upstream-behaviours.ts";
import { reply } from "../support/mock-upstream-reply.ts";
import {
  type Answer,
  bearer,
  CHAT,
  EMBEDDING,
  errorOf,
  hello,
  IMAGE,
  JSON_TYPE,
  MID,
  openStage,
  RERANK,
  replyOf,
  SMALL,
  type Stage,
} from "./stage.ts";

const FEW = "few-haiku";
const SCARCE = "scarce-haiku";

let stage: Stage;
before(async () => {
  stage = await openStage({
    http: { body_limit: "64KiB" },
    upstream: { attempts: 1 },
    models: {
      [FEW]: { limits: { requests: 2 } },
      [SCARCE]: { limits: { requests: 100, tokens: 1000 } },
      "nova-pro": {},
      "nova-lite": {},
    },
  });
});
after(() => stage.stop());

const REQUESTS = ["limit", "remaining", "reset"].map((word) => `x-ratelimit-${word}-requests`);
const TOKENS = ["limit", "remaining", "reset"].map((word) => `x-ratelimit-${word}-tokens`);

const limitsOf = ({ headers }: Answer) => ({
  requests: headers["x-ratelimit-limit-requests"],
  tokens: headers["x-ratelimit-limit-tokens"],
});

function assertSix(answer: Answer, what: string): void {
  for (const name of [...REQUESTS, ...TOKENS]) {
    const pattern = name.includes("reset") ? /^\d+s$/ : /^\d+$/;
    assert.match(`${answer.headers[name]}`, pattern, `${name} of ${what}`);
  }
}

test("six headers say how a key stands on a good reply, whole and streamed", async () => {
  const whole = await stage.chat();
  assertSix(whole, "a reply");
  assert.deepEqual(limitsOf(whole), { requests: "200", tokens: "800000" });
  const streamed = await stage.chat({ stream: true });
  assertSix(streamed, "a stream");
  assert.equal(
    Number(whole.headers["x-ratelimit-remaining-requests"]),
    Number(streamed.headers["x-ratelimit-remaining-requests"]) + 1,
  );
});

test("six headers are on every error that an authenticated caller gets", async () => {
  const headers = { ...bearer(await stage.key(SMALL)), ...JSON_TYPE };
  const body = JSON.stringify({ model: SMALL, messages: [hello] });
  const post = (fields: object) => stage.send(CHAT, { method: "POST", headers, body, ...fields });
  const answers: [number, Answer][] = [
    [400, await post({ body: "{" })],
    [400, await stage.chat({ temperature: 2 })],
    [403, await stage.chat({ model: MID })],
    [413, await post({ body: JSON.stringify({ pad: "x".repeat(65_536) }) })],
    [415, await post({ headers: bearer(await stage.key(SMALL)) })],
    [501, await stage.send("/v1/mcp/servers", { headers })],
    [501, await stage.send("/v1/rerank", { method: "POST", headers, body })],
  ];
  stage.upstream.script(status(500));
  answers.push([502, await stage.chat()]);
  for (const [expected, answer] of answers) {
    assert.equal(answer.status, expected, answer.text);
    assertSix(answer, `${expected} ${answer.text}`);
  }
});

test("no limit is told to a caller without a key", async () => {
  const { headers } = await stage.send(CHAT, { method: "POST" });
  for (const name of [...REQUESTS, ...TOKENS]) assert.equal(headers[name], undefined);
});

test("a model without a token limit sends the three headers of requests alone", async () => {
  for (const [model, path, requests] of [
    [IMAGE, "/v1/images/generations", "20"],
    [RERANK, "/v1/rerank", "250"],
  ] as const) {
    const headers = bearer(await stage.key(model));
    const answer = await stage.send(path, { method: "POST", headers });
    assert.deepEqual(limitsOf(answer), { requests, tokens: undefined });
    for (const name of REQUESTS) assert.notEqual(answer.headers[name], undefined);
    for (const name of TOKENS) assert.equal(answer.headers[name], undefined);
  }
});

test("every model class announces its own requests and tokens a minute", async () => {
  for (const [model, requests] of [
    [MID, "150"],
    [SMALL, "200"],
    ["nova-pro", "150"],
    ["nova-lite", "150"],
  ] as const) {
    assert.deepEqual(limitsOf(await stage.chat({}, { model })), { requests, tokens: "800000" });
  }
  const embedding = { method: "POST", headers: bearer(await stage.key(EMBEDDING)) } as const;
  const answer = await stage.send("/v1/embeddings", embedding);
  assert.deepEqual(limitsOf(answer), { requests: "500", tokens: "800000" });
});

test("one request too many is 429 with the wait, and costs the upstream nothing", async () => {
  const ask = () => stage.chat({}, { model: FEW });
  replyOf(await ask());
  replyOf(await ask());
  const reached = stage.upstream.requests.length;
  const answer = await ask();
  const { code, type, message } = errorOf(answer);
  assert.deepEqual([code, type, message], [429, "rate_limit_error", "Rate limit exceeded"]);
  assertWait(answer);
  assertSix(answer, "a 429");
  assert.equal(answer.headers["x-ratelimit-limit-requests"], "2");
  assert.equal(answer.headers["x-ratelimit-remaining-requests"], "0");
  assert.equal(stage.upstream.requests.length, reached);
});

test("more tokens than are left are 429, counted with what is still running", async () => {
  const release = Promise.withResolvers<void>();
  stage.upstream.script(once(release.promise, reply()));
  const ask = () => stage.chat({ max_completion_tokens: 600 }, { model: SCARCE });
  const reached = stage.upstream.requests.length;
  const first = ask();
  await stage.upstream.request(reached + 1);
  const second = await ask();
  release.resolve();
  assert.equal(errorOf(second).message, "Rate limit exceeded");
  assert.equal(second.status, 429);
  assertWait(second);
  assert.ok(Number(second.headers["x-ratelimit-remaining-tokens"]) < 600);
  replyOf(await first);
  replyOf(await ask());
});

test("a request that no waiting would help is 400 and says what to lower", async () => {
  const { code, message } = errorOf(
    await stage.chat({ max_completion_tokens: 4000 }, { model: SCARCE }),
  );
  assert.equal(code, 400);
  assert.match(message, /allows 1000 tokens a minute: lower max_completion_tokens/);
});

test("refused requests take nothing from the limit", async () => {
  const before = await stage.chat({ temperature: 9 });
  await stage.chat({ temperature: 9 });
  const after = await stage.chat({ temperature: 9 });
  assert.equal(
    before.headers["x-ratelimit-remaining-requests"],
    after.headers["x-ratelimit-remaining-requests"],
  );
});

/** Both are seconds; the sliding minute is never longer than 60 of them. */
function assertWait({ headers }: Answer): void {
  const wait = Number(headers["retry-after"]);
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `${wait}`);
  assert.equal(headers["x-ratelimit-reset-requests"], `${wait}s`);
}
