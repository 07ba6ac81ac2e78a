// From the rounds of a run to the numbers that are shown: medians, and medians of the ratios
// between two subjects in the same round.

import type { LoadResult } from "./load/orders.ts";
import type { Results, Rounds } from "./run-phases.ts";

export type Reading = (result: LoadResult) => number;

export const cpuPerReply: Reading = ({ cpuSeconds, replies }) => (cpuSeconds / replies) * 1e6;
export const cpuPerChunk: Reading = ({ cpuSeconds, chunks }) => (cpuSeconds / chunks) * 1e6;
/** CPU of other threads than the main one: garbage collection, compiler, files, databases. */
export const backgroundPerReply: Reading = ({ cpuSeconds, mainThreadSeconds, replies }) =>
  ((cpuSeconds - (mainThreadSeconds ?? cpuSeconds)) / replies) * 1e6;
export const repliesPerSecond: Reading = ({ replies, seconds }) => replies / seconds;
export const chunksPerSecond: Reading = ({ chunks, seconds }) => chunks / seconds;
export const residentMegabytes: Reading = ({ residentBytes }) => residentBytes / 1e6;
export const p50: Reading = (result) => result.p50;
export const p99: Reading = (result) => result.p99;

export interface Statistics {
  /** Undefined when the subject was not measured there. */
  value(phase: string, subject: string, reading: Reading): number | undefined;
  ratio(phase: string, subject: string, other: string, reading: Reading): number | undefined;
  /** What the subject adds to a call without it. */
  added(phase: string, subject: string, reading: Reading): number | undefined;
}

export function createStatistics(results: Results): Statistics {
  const rounds = (phase: string, subject: string): Rounds => results.get(phase)?.get(subject) ?? [];
  const paired = (
    phase: string,
    subject: string,
    other: string,
    combine: (own: LoadResult, others: LoadResult) => number,
  ): number | undefined => {
    const others = rounds(phase, other);
    const values = rounds(phase, subject).flatMap((own, round) => {
      const match = others[round];
      return own === null || match === null || match === undefined ? [] : [combine(own, match)];
    });
    return median(values);
  };
  return {
    value: (phase, subject, reading) =>
      median(
        rounds(phase, subject)
          .filter((result) => result !== null)
          .map(reading),
      ),
    ratio: (phase, subject, other, reading) =>
      paired(phase, subject, other, (own, others) => reading(own) / reading(others)),
    added: (phase, subject, reading) =>
      paired(phase, subject, "direct", (own, direct) => reading(own) - reading(direct)),
  };
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[middle - 1];
  return sorted.length % 2 === 0 && upper !== undefined && lower !== undefined
    ? (lower + upper) / 2
    : upper;
}
