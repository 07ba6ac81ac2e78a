// Runs the plan. Subjects take turns within every round, so that whatever else the machine
// does meets all of them alike, and ratios are taken between neighbours in time.

import { Compile } from "typebox/compile";
import { type LoadResult, LoadResultSchema } from "./load/orders.ts";
import type { Phase, Plan } from "./plan.ts";
import type { Program } from "./program.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subjects/subject.ts";

/** One for each round, so that rounds can be paired; null where a foreign subject failed. */
export type Rounds = readonly (LoadResult | null)[];

/** Results by phase, then by subject. */
export type Results = ReadonlyMap<string, ReadonlyMap<string, Rounds>>;

export type Bench = {
  readonly upstream: Program;
  readonly generator: Program;
  readonly subjects: readonly Subject[];
  readonly progress: Progress;
};

const Result = Compile(LoadResultSchema);

export async function runPhases(bench: Bench, plan: Plan): Promise<Results> {
  const { subjects, progress } = bench;
  const all = [...plan.warmUp, ...plan.phases];
  progress.expect(
    all.reduce((sum, phase) => sum + phase.rounds * takingPart(subjects, phase).length, 0),
  );
  for (const phase of plan.warmUp) await runPhase(bench, phase, "warm-up");
  for (const subject of subjects) subject.warm?.();
  const results = new Map<string, ReadonlyMap<string, Rounds>>();
  for (const phase of plan.phases) results.set(phase.name, await runPhase(bench, phase, "round"));
  progress.finish();
  return results;
}

async function runPhase(
  bench: Bench,
  phase: Phase,
  word: string,
): Promise<ReadonlyMap<string, Rounds>> {
  const { upstream, subjects, progress } = bench;
  await upstream.ask({ chunks: Math.max(1, phase.load.chunks), intervalMs: phase.intervalMs });
  const results = new Map<string, (LoadResult | null)[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < phase.rounds; round++) {
    for (const subject of rotated(takingPart(subjects, phase), round)) {
      const { name } = subject;
      progress.step(`${phase.title}: ${word} ${round + 1} of ${phase.rounds}, ${name}`);
      results.get(name)?.push(await runTwiceAtMost(bench, phase, subject));
    }
  }
  return results;
}

/** A machine that stands still for seconds cuts connections; only a second failure counts. */
async function runTwiceAtMost(
  { generator, progress }: Bench,
  { title, load }: Phase,
  { name, pid, port, headers, model, foreign }: Subject,
): Promise<LoadResult | null> {
  const order = { pid, port, headers, model, load };
  try {
    return Result.Parse(await generator.ask(order));
  } catch (first) {
    progress.note(`${name} failed under "${title}" and is tried again: ${first}`);
  }
  try {
    return Result.Parse(await generator.ask(order));
  } catch (cause) {
    if (foreign !== true) throw new Error(`${name} failed under "${title}"`, { cause });
    progress.note(`${name} failed again, and the round goes on without it: ${cause}`);
    return null;
  }
}

const takingPart = (subjects: readonly Subject[], phase: Phase): readonly Subject[] =>
  subjects.filter(({ name }) => phase.subjects?.includes(name) ?? true);

/** Nobody is always the one who runs after somebody else. */
function rotated<T>(items: readonly T[], by: number): T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
