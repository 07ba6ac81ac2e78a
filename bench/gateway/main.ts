// npm run bench:gateway: what Hearth costs between a caller and a model, next to a bare proxy
// and to the best-known gateway. Ends with an error only when something broke.

import { mkdir, writeFile } from "node:fs/promises";
import { type CommandOptions, readOptions, USAGE } from "./command-options.ts";
import { watchMachine } from "./machine.ts";
import { createPlan, type Plan } from "./plan.ts";
import { startProgram } from "./program.ts";
import { createProgress, type Progress } from "./progress.ts";
import { type Results, runPhases } from "./run-phases.ts";
import { createStatistics } from "./statistics.ts";
import { directSubject, startBare } from "./subjects/start-bare.ts";
import { startHearth } from "./subjects/start-hearth.ts";
import { startPortkey } from "./subjects/start-portkey.ts";
import type { Subject } from "./subjects/subject.ts";
import { resultTables } from "./tables.ts";
import { judge, verdictTable } from "./verdict.ts";

async function run(options: CommandOptions): Promise<void> {
  const plan = narrow(createPlan(options.quick), options);
  if (options.profile !== undefined) await mkdir(options.profile, { recursive: true });
  const progress = createProgress(process.stderr);
  await using running = new AsyncDisposableStack();
  const upstream = await startProgram(new URL("upstream.ts", import.meta.url));
  running.defer(() => upstream.stop());
  const generator = await startProgram(new URL("load/main.ts", import.meta.url));
  running.defer(() => generator.stop());
  const subjects: Subject[] = [];
  running.defer(async () => {
    await Promise.all(subjects.map((subject) => subject.stop()));
  });
  if (isWanted(options, "direct")) subjects.push(directSubject(upstream));
  await startSubjects(options, upstream.port, subjects, progress);

  const pids = subjects.map(({ pid }) => pid).filter((pid) => pid !== upstream.pid);
  const machine = await watchMachine([upstream.pid, generator.pid, ...pids]);
  const results = await runPhases({ upstream, generator, subjects, progress }, plan);
  const where = await machine.describe();
  const statistics = createStatistics(results);
  const verdicts = judge(statistics);
  const names = subjects.map(({ name }) => name);
  process.stdout.write(
    `\n${where}\n\n${resultTables({ statistics, phases: plan.phases, subjects: names })}\n\n${verdictTable(verdicts)}\n`,
  );
  if (options.json !== undefined) {
    const numbers = { machine: where, verdicts, results: plainResults(results) };
    await writeFile(options.json, `${JSON.stringify(numbers, null, 2)}\n`);
  }
}

const narrow = (plan: Plan, { phases, rounds }: CommandOptions): Plan => ({
  ...plan,
  phases: plan.phases
    .filter(({ name }) => phases?.includes(name) ?? true)
    .map((phase) => ({ ...phase, rounds: rounds ?? phase.rounds })),
});

const isWanted = ({ subjects }: CommandOptions, name: string): boolean =>
  subjects === undefined || subjects.includes(name);

async function startSubjects(
  options: CommandOptions,
  upstreamPort: number,
  subjects: Subject[],
  progress: Progress,
): Promise<void> {
  const { hearth, other, profile: profileDirectory } = options;
  if (isWanted(options, "bare")) subjects.push(await startBare(upstreamPort));
  if (isWanted(options, "hearth")) {
    subjects.push(
      await startHearth({ name: "hearth", entry: hearth, upstreamPort, profileDirectory }),
    );
  }
  if (other !== undefined) {
    subjects.push(await startHearth({ name: "other", entry: other, upstreamPort }));
  }
  if (!isWanted(options, "portkey")) return;
  try {
    progress.note("starting Portkey; the first time it is installed from npm");
    subjects.push(await startPortkey(upstreamPort));
  } catch (error) {
    progress.note(`going on without Portkey: ${error instanceof Error ? error.message : error}`);
  }
}

const plainResults = (results: Results): object =>
  Object.fromEntries([...results].map(([phase, found]) => [phase, Object.fromEntries(found)]));

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(`${USAGE}\n`);
  else await run(options);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  if (error instanceof Error && error.cause !== undefined) {
    process.stderr.write(`because ${error.cause}\n`);
  }
  process.exitCode = 1;
}
