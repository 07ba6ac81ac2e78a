// Which of several targets a call goes to. With a prefix: weighted rendezvous hashing, so
// that a target that leaves moves only its own prefixes, unless the preferred one has
// clearly more in flight than its share. Without: the least loaded by weight.

import { hashText } from "./hash-prefix.ts";

export type Candidate = {
  readonly weight: number;
  /** Calls that run or wait there. */
  readonly load: number;
  /** Stable over restarts: a hash of the target's name. */
  readonly seed: number;
};

/** A target may hold this much more than its share, and a few calls in any case. */
const SHARE_FACTOR = 1.25;
const SHARE_FLOOR = 4;

export const seedOf = (name: string): number => hashText(name, 0);

export function chooseTarget<C extends Candidate>(
  candidates: readonly C[],
  prefix: number | undefined,
  random: () => number,
): C | undefined {
  const [only] = candidates;
  if (candidates.length <= 1) return only;
  if (prefix !== undefined) {
    const preferred = highest(candidates, (candidate) => rendezvousScore(candidate, prefix));
    if (preferred !== undefined && !isOverloaded(preferred, candidates)) return preferred;
  }
  return leastLoaded(candidates, random);
}

function highest<C>(candidates: readonly C[], score: (candidate: C) => number): C | undefined {
  let best: C | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    const own = score(candidate);
    if (own <= bestScore) continue;
    best = candidate;
    bestScore = own;
  }
  return best;
}

/** −weight / ln(u), u uniform in (0, 1): the highest wins in proportion to its weight. */
function rendezvousScore(candidate: Candidate, prefix: number): number {
  const uniform = (mix(candidate.seed ^ mix(prefix)) + 0.5) / 2 ** 32;
  return -candidate.weight / Math.log(uniform);
}

/** The finalizer of murmur3: every bit of the input moves every bit of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function isOverloaded(preferred: Candidate, candidates: readonly Candidate[]): boolean {
  let load = 1;
  let weight = 0;
  for (const candidate of candidates) {
    load += candidate.load;
    weight += candidate.weight;
  }
  const share = (load * preferred.weight) / weight;
  return preferred.load > SHARE_FLOOR + SHARE_FACTOR * share;
}

function leastLoaded<C extends Candidate>(
  candidates: readonly C[],
  random: () => number,
): C | undefined {
  const least = Math.min(...candidates.map((candidate) => candidate.load / candidate.weight));
  const equal = candidates.filter((candidate) => candidate.load / candidate.weight <= least);
  // Among equals, above all when nothing runs, the weights are the odds.
  let point = random() * equal.reduce((sum, candidate) => sum + candidate.weight, 0);
  for (const candidate of equal) {
    point -= candidate.weight;
    if (point < 0) return candidate;
  }
  return equal.at(-1);
}
