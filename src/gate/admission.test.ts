import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../call/index.ts";
import type { Limits } from "../catalog/index.ts";
import { type Admission, createAdmission } from "./admission.ts";
import { createMemorySharedState } from "./memory-shared-state.ts";

type Bench = { readonly admission: Admission; readonly clock: { now: number } };

function bench(): Bench {
  const clock = { now: 0 };
  const sharedState = createMemorySharedState({ clock: () => clock.now });
  return { admission: createAdmission({ sharedState }), clock };
}

const request = (limits: Partial<Limits>, reserveTokens = 0, resource = "one") => ({
  resource: { id: resource },
  model: { id: "my-haiku", limits: { requests: null, tokens: null, ...limits } },
  reserveTokens,
});

async function refusalOf(attempt: Promise<unknown>): Promise<ServiceError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, "the request was refused");
  return error;
}

test("10,000 concurrent requests against a limit of 150 admit exactly 150", async () => {
  const { admission, clock } = bench();
  const storm = async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10_000 }, () => admission.admit(request({ requests: 150 }))),
    );
    return results.filter(({ status }) => status === "fulfilled").length;
  };
  assert.equal(await storm(), 150);
  clock.now += 59_999;
  assert.equal(await storm(), 0);
  clock.now += 1;
  assert.equal(await storm(), 150);
});

test("a burst cannot overshoot the tokens, whatever it settles to later", async () => {
  const { admission } = bench();
  const results = await Promise.allSettled(
    Array.from({ length: 1_000 }, () => admission.admit(request({ tokens: 10_000 }, 300))),
  );
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 33);
});

test("a refusal is a 429 with the exact text, the wait and the standing", async () => {
  const { admission, clock } = bench();
  await admission.admit(request({ requests: 1, tokens: 500 }, 100));
  clock.now += 8_500;
  const error = await refusalOf(admission.admit(request({ requests: 1, tokens: 500 }, 100)));
  assert.equal(error.status, 429);
  assert.equal(error.type, "rate_limit_error");
  assert.equal(error.message, "Rate limit exceeded");
  assert.equal(error.retryable, true);
  assert.equal(error.retryAfterSeconds, 52);
  assert.deepEqual(error.headers, {
    "X-RateLimit-Limit-Requests": "1",
    "X-RateLimit-Remaining-Requests": "0",
    "X-RateLimit-Reset-Requests": "52s",
    "X-RateLimit-Limit-Tokens": "500",
    "X-RateLimit-Remaining-Tokens": "400",
    "X-RateLimit-Reset-Tokens": "52s",
  });
});

test("the wait is at least a second, and waiting it is enough", async () => {
  const { admission, clock } = bench();
  await admission.admit(request({ requests: 1 }));
  clock.now += 59_999;
  const { retryAfterSeconds = 0 } = await refusalOf(admission.admit(request({ requests: 1 })));
  assert.equal(retryAfterSeconds, 1);
  clock.now += retryAfterSeconds * 1000;
  await admission.admit(request({ requests: 1 }));
});

test("a request that alone exceeds the limit is a 400 with both numbers and what to do", async () => {
  const { admission } = bench();
  const error = await refusalOf(admission.admit(request({ tokens: 800_000 }, 900_001)));
  assert.deepEqual([error.status, error.type], [400, "invalid_request_error"]);
  assert.match(error.message, /900001 .* 800000 /);
  assert.match(error.message, /lower max_completion_tokens or shorten the prompt/);
});

test("settling gives back what was not used, and only the first time", async () => {
  const { admission } = bench();
  const limits = { tokens: 1_000 };
  const first = await admission.admit(request(limits, 1_000));
  first.settle(200);
  first.settle(0);
  const second = await admission.admit(request(limits, 800));
  assert.equal(second.standing.tokens?.remaining, 0);
});

test("usage above the reservation counts in full", async () => {
  const { admission, clock } = bench();
  const reservation = await admission.admit(request({ tokens: 1_000 }, 100));
  reservation.settle(1_500);
  clock.now += 20_000;
  const { retryAfterSeconds } = await refusalOf(admission.admit(request({ tokens: 1_000 }, 1)));
  assert.equal(retryAfterSeconds, 40);
});

test("a settlement that is no count leaves the reservation as it was", async () => {
  const { admission } = bench();
  const reservation = await admission.admit(request({ tokens: 1_000 }, 1_000));
  for (const nonsense of [Number.NaN, Number.POSITIVE_INFINITY, -5, 0.5]) {
    reservation.settle(nonsense);
  }
  await refusalOf(admission.admit(request({ tokens: 1_000 }, 1)));
  reservation.settle(0);
  await admission.admit(request({ tokens: 1_000 }, 1));
});

test("a reservation that is no count is a fault of ours, not a request", async () => {
  const { admission } = bench();
  for (const nonsense of [Number.NaN, -1, 1.5]) {
    await assert.rejects(admission.admit(request({ tokens: 10 }, nonsense)), RangeError);
  }
});

test("the buckets of two resources never touch, and neither do those of two models", async () => {
  const { admission } = bench();
  const limits = { requests: 1, tokens: 10 };
  await admission.admit(request(limits, 10, "one"));
  const other = await admission.admit(request(limits, 10, "two"));
  other.settle(0);
  await refusalOf(admission.admit(request(limits, 0, "one")));
  const { resource, model } = request(limits);
  await admission.admit({ resource, model: { ...model, id: "my-sonnet" }, reserveTokens: 10 });
  const standing = await admission.standing({ resource: { id: "three" }, model });
  assert.deepEqual(standing.tokens, { limit: 10, remaining: 10, resetMs: 0 });
});
