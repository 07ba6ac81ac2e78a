import assert from "node:assert/strict";
import { test } from "node:test";
import { rateLimitHeaders } from "./rate-limit-headers.ts";

test("six headers say how a bucket stands, resets in whole seconds rounded up", () => {
  const headers = rateLimitHeaders({
    requests: { limit: 150, remaining: 149, resetMs: 50_001 },
    tokens: { limit: 800_000, remaining: 0, resetMs: 60_000 },
  });
  assert.deepEqual(headers, [
    "X-RateLimit-Limit-Requests",
    "150",
    "X-RateLimit-Remaining-Requests",
    "149",
    "X-RateLimit-Reset-Requests",
    "51s",
    "X-RateLimit-Limit-Tokens",
    "800000",
    "X-RateLimit-Remaining-Tokens",
    "0",
    "X-RateLimit-Reset-Tokens",
    "60s",
  ]);
});

test("an empty window resets in 0s", () => {
  const headers = rateLimitHeaders({
    requests: { limit: 20, remaining: 20, resetMs: 0 },
    tokens: null,
  });
  assert.equal(headers.at(-1), "0s");
});

test("a limit that does not exist sends no headers", () => {
  const requests = { limit: 20, remaining: 20, resetMs: 0 };
  assert.equal(rateLimitHeaders({ requests, tokens: null }).length, 6);
  assert.deepEqual(rateLimitHeaders({ requests: null, tokens: null }), []);
});
