// What is run, in which order and for how long.

import type { ClosedLoop, LoadOrder } from "./load/orders.ts";
import { rampMs } from "./load/paced-streams.ts";

export type Phase = {
  readonly name: string;
  readonly title: string;
  readonly load: LoadOrder["load"];
  /** How streams go in this phase. */
  readonly intervalMs: number;
  readonly rounds: number;
  /** Undefined: every subject. */
  readonly subjects?: readonly string[] | undefined;
};

export type Plan = { readonly warmUp: readonly Phase[]; readonly phases: readonly Phase[] };

export const CONCURRENCIES = [1, 16, 64, 256] as const;
/** Where the CPU of a request is judged: busy, and not yet a crowd. */
export const JUDGED_CONCURRENCY = 64;
export const CROWD = 1000;
const BURST_CHUNKS = 500;

export const BURSTS = "bursts";
export const PACED = "paced";
export const CROWD_PHASE = "crowd";
export const requestsPhase = (concurrency: number): string => `requests-${concurrency}`;

/** Longer than any subject puts work off. */
const REST_MS = 350;
const WARM_UP_SUBJECTS = ["bare", "hearth", "other", "portkey"];

export const createPlan = (quick: boolean): Plan => (quick ? quickPlan() : fullPlan());

function fullPlan(): Plan {
  return {
    warmUp: warmUp(6000),
    phases: [
      ...CONCURRENCIES.map((concurrency) => ({ ...requests(concurrency, 2000), rounds: 5 })),
      { ...bursts(2000), rounds: 5 },
      { ...paced(PACED, 64, 20, 3000), rounds: 3 },
      { ...paced(CROWD_PHASE, CROWD, 200, 6000), rounds: 3 },
    ],
  };
}

/** Enough to see that nothing went badly wrong, and too little for fine comparisons. */
function quickPlan(): Plan {
  return {
    warmUp: warmUp(800),
    phases: [
      { ...requests(1, 300), rounds: 1 },
      { ...requests(JUDGED_CONCURRENCY, 400), rounds: 1 },
      { ...bursts(300), rounds: 1 },
      { ...paced(CROWD_PHASE, CROWD, 200, 800), rounds: 1, subjects: ["direct", "hearth"] },
    ],
  };
}

const warmUp = (durationMs: number): Phase[] =>
  [requests(JUDGED_CONCURRENCY, durationMs), bursts(durationMs / 2)].map((phase) => ({
    ...phase,
    load: { ...phase.load, restMs: 0 },
    rounds: 1,
    subjects: WARM_UP_SUBJECTS,
  }));

type Unrepeated = Omit<Phase, "rounds">;
type ClosedPhase = Unrepeated & { readonly load: ClosedLoop };

const requests = (concurrency: number, durationMs: number): ClosedPhase => ({
  name: requestsPhase(concurrency),
  title: `requests, ${concurrency} at a time`,
  load: { type: "requests", concurrency, durationMs, restMs: REST_MS, chunks: 0 },
  intervalMs: 0,
});

const bursts = (durationMs: number): ClosedPhase => ({
  name: BURSTS,
  title: `streams of ${BURST_CHUNKS} chunks back to back, 8 at a time`,
  load: { type: "bursts", concurrency: 8, durationMs, restMs: REST_MS, chunks: BURST_CHUNKS },
  intervalMs: 0,
});

function paced(name: string, streams: number, intervalMs: number, durationMs: number): Unrepeated {
  const chunks = Math.ceil((rampMs(streams) + durationMs + 500) / intervalMs);
  return {
    name,
    title: `${streams} streams at once, a chunk every ${intervalMs} ms`,
    load: { type: "paced", concurrency: streams, durationMs, chunks },
    intervalMs,
  };
}
