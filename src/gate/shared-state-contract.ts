// What every keeper of the sliding minute has to do, as tests that run against any of them:
// `testSharedState(name, factory)` with a factory that takes its clock.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Limits } from "../catalog/index.ts";
import { NaiveSharedState } from "./naive-shared-state-fixture.ts";
import type { Decision, SharedState } from "./shared-state.ts";

export type SharedStateFactory = (clock: () => number) => SharedState | Promise<SharedState>;

type Bench = { readonly state: SharedState; readonly clock: { now: number } };

/** Properties are run this often; a slow keeper may ask for fewer. */
export type ContractOptions = { readonly runs?: number };

export function testSharedState(
  name: string,
  create: SharedStateFactory,
  { runs = 100 }: ContractOptions = {},
): void {
  const check = async (use: (bench: Bench) => Promise<void>): Promise<void> => {
    const clock = { now: 1_000 };
    const state = await create(() => clock.now);
    try {
      await use({ state, clock });
    } finally {
      await state.close();
    }
  };
  const behaves = (behaviour: string, use: (bench: Bench) => Promise<void>): void => {
    test(behaviour, () => check(use));
  };

  describe(`${name} keeps the sliding minute`, () => {
    behaves("an entry counts for 60 seconds and is gone at the sixtieth", async (bench) => {
      const limits = { requests: 1, tokens: null };
      await admitted(bench, limits);
      bench.clock.now += 59_999;
      assert.equal((await refused(bench, limits)).retryAfterMs, 1);
      bench.clock.now += 1;
      await admitted(bench, limits);
    });

    behaves("10,000 requests at once against a limit of 150 admit exactly 150", async (bench) => {
      const limits = { requests: 150, tokens: null };
      const decisions = await Promise.all(
        Array.from({ length: 10_000 }, () => bench.state.admit("bucket", limits, 1)),
      );
      assert.equal(decisions.filter((decision) => decision.admitted).length, 150);
    });

    behaves("a request refused for its tokens takes no request", async (bench) => {
      const limits = { requests: 2, tokens: 100 };
      await admitted(bench, limits, 60);
      assert.equal((await refused(bench, limits, 41)).limitedBy, "tokens");
      assert.equal((await admitted(bench, limits, 40)).standing.requests?.remaining, 0);
    });

    behaves("settling lower gives tokens back, settling higher takes them", async (bench) => {
      const limits = { requests: null, tokens: 100 };
      const { ticket } = await admitted(bench, limits, 100);
      await bench.state.settle("bucket", ticket, 30);
      assert.equal((await bench.state.standing("bucket", limits)).tokens?.remaining, 70);
      await bench.state.settle("bucket", ticket, 130);
      assert.equal((await bench.state.standing("bucket", limits)).tokens?.remaining, 0);
      assert.equal((await refused(bench, limits, 0)).retryAfterMs, 60_000);
    });

    behaves("settling what has left the window changes nothing", async (bench) => {
      const limits = { requests: 10, tokens: 100 };
      const { ticket } = await admitted(bench, limits, 10);
      for (const pause of [60_000, 60_000, 600_000]) {
        bench.clock.now += pause;
        await admitted(bench, limits, 10);
        await bench.state.settle("bucket", ticket, 90);
        assert.equal((await bench.state.standing("bucket", limits)).tokens?.remaining, 90);
      }
    });

    behaves("no waiting helps a request that alone exceeds the limit", async (bench) => {
      const { limitedBy, retryAfterMs } = await refused(bench, { requests: 1, tokens: 100 }, 101);
      assert.deepEqual([limitedBy, retryAfterMs], ["tokens", Number.POSITIVE_INFINITY]);
    });

    behaves("a lowered limit waits until enough entries have left", async (bench) => {
      for (let i = 0; i < 5; i += 1) {
        await admitted(bench, { requests: 5, tokens: null });
        bench.clock.now += 1_000;
      }
      assert.equal((await refused(bench, { requests: 2, tokens: null })).retryAfterMs, 58_000);
      await admitted(bench, { requests: 6, tokens: null });
    });

    behaves("a limit that is null admits everything and has no standing", async (bench) => {
      const limits = { requests: null, tokens: null };
      for (let i = 0; i < 500; i += 1) await admitted(bench, limits, 1_000_000);
      assert.deepEqual(await bench.state.standing("bucket", limits), limits);
    });

    behaves("buckets never touch", async ({ state }) => {
      const limits = { requests: 1, tokens: 10 };
      await state.admit("one", limits, 10);
      const other = await state.admit("two", limits, 10);
      assert.ok(other.admitted);
      await state.settle("two", other.ticket, 3);
      assert.equal((await state.standing("one", limits)).tokens?.remaining, 0);
      assert.equal((await state.standing("two", limits)).tokens?.remaining, 7);
      assert.equal((await state.standing("three", limits)).tokens?.remaining, 10);
    });

    test("it decides as the definition does, step by step", async () => {
      await fc.assert(
        fc.asyncProperty(steps, (script) => check((bench) => play(bench, script))),
        { numRuns: runs },
      );
    });

    test("waiting as long as it says is enough, and a millisecond less is not", async () => {
      const property = fc.asyncProperty(steps, limitsOf, tokensOf, (script, limits, tokens) =>
        check(async (bench) => {
          await play(bench, script);
          const decision = await bench.state.admit("a", limits, tokens);
          if (decision.admitted || decision.retryAfterMs === Number.POSITIVE_INFINITY) return;
          assert.ok(decision.retryAfterMs > 0);
          bench.clock.now += decision.retryAfterMs - 1;
          assert.equal((await bench.state.admit("a", limits, tokens)).admitted, false);
          bench.clock.now += 1;
          assert.equal((await bench.state.admit("a", limits, tokens)).admitted, true);
        }),
      );
      await fc.assert(property, { numRuns: runs });
    });
  });
}

type Step =
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "limit"; readonly limits: Limits }
  | { readonly do: "admit"; readonly bucket: string; readonly tokens: number }
  | { readonly do: "burst"; readonly bucket: string; readonly count: number; readonly ms: number }
  | { readonly do: "settle"; readonly index: number; readonly tokens: number };

const tokensOf = fc.nat({ max: 400 });
const bucketOf = fc.constantFrom("a", "b");
const limitsOf: fc.Arbitrary<Limits> = fc.record({
  requests: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 6 }), fc.constant(300)),
  tokens: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 5_000 })),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("advance" as const),
      ms: fc.oneof(fc.nat({ max: 20_000 }), fc.constantFrom(1, 59_999, 60_000, 125_000)),
    }),
    fc.record({ do: fc.constant("limit" as const), limits: limitsOf }),
    fc.record({ do: fc.constant("admit" as const), bucket: bucketOf, tokens: tokensOf }),
    fc.record({
      do: fc.constant("burst" as const),
      bucket: bucketOf,
      count: fc.nat({ max: 200 }),
      ms: fc.nat({ max: 300 }),
    }),
    fc.record({ do: fc.constant("settle" as const), index: fc.nat(), tokens: tokensOf }),
  ),
  { maxLength: 40, size: "max" },
);

/** Plays a script against the real one and against the definition of it, side by side. */
async function play({ state, clock }: Bench, script: readonly Step[]): Promise<void> {
  const model = new NaiveSharedState(() => clock.now);
  const open: { bucket: string; ticket: number; entry: { tokens: number } }[] = [];
  let limits: Limits = { requests: 5, tokens: 1_000 };

  const admit = async (bucket: string, tokens: number): Promise<void> => {
    const decision = await state.admit(bucket, limits, tokens);
    const [expected, entry] = model.admit(bucket, limits, tokens);
    assert.deepEqual(withoutTicket(decision), withoutTicket(expected));
    if (decision.admitted) open.push({ bucket, ticket: decision.ticket, entry });
  };

  for (const step of script) {
    if (step.do === "advance") clock.now += step.ms;
    if (step.do === "limit") limits = step.limits;
    if (step.do === "admit") await admit(step.bucket, step.tokens);
    if (step.do === "burst") {
      for (let i = 0; i < step.count; i += 1) {
        clock.now += step.ms;
        await admit(step.bucket, i % 7);
      }
    }
    const settled = step.do === "settle" ? open[step.index % Math.max(1, open.length)] : undefined;
    if (step.do === "settle" && settled !== undefined) {
      await state.settle(settled.bucket, settled.ticket, step.tokens);
      settled.entry.tokens = step.tokens;
    }
    for (const bucket of ["a", "b"]) {
      assert.deepEqual(await state.standing(bucket, limits), model.standing(bucket, limits));
    }
  }
}

const withoutTicket = (decision: Decision): unknown => ({ ...decision, ticket: undefined });

async function admitted(
  { state }: Bench,
  limits: Limits,
  tokens = 1,
): Promise<Extract<Decision, { admitted: true }>> {
  const decision = await state.admit("bucket", limits, tokens);
  assert.ok(decision.admitted);
  return decision;
}

async function refused(
  { state }: Bench,
  limits: Limits,
  tokens = 1,
): Promise<Extract<Decision, { admitted: false }>> {
  const decision = await state.admit("bucket", limits, tokens);
  assert.ok(!decision.admitted);
  return decision;
}
