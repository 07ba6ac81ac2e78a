// The command line of the benchmark.

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export type CommandOptions = {
  readonly quick: boolean;
  readonly json: string | undefined;
  /** Hearth's main file. */
  readonly hearth: string;
  /** Another Hearth's main file, measured beside the first one. */
  readonly other: string | undefined;
  /** Where Hearth leaves a CPU profile. */
  readonly profile: string | undefined;
  /** Which subjects and phases to run; undefined: all. */
  readonly subjects: readonly string[] | undefined;
  readonly phases: readonly string[] | undefined;
  /** How often each phase is run; undefined: as the plan says. */
  readonly rounds: number | undefined;
};

export const USAGE = `npm run bench:gateway -- [OPTIONS]

  --quick            about 20 seconds instead of several minutes
  --json FILE        write the numbers, every round of them
  --subjects a,b     of direct, bare, hearth, portkey
  --phases a,b       of requests-1, requests-16, requests-64, requests-256, bursts, paced, crowd
  --rounds N         run every phase so many times
  --hearth FILE      Hearth's main file; default src/cli/main.ts of this repository
  --other FILE       the main file of another Hearth, measured beside it: a patched copy
  --profile FOLDER   leave a CPU profile of Hearth there`;

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** Undefined when only help was asked for. */
export function readOptions(words: readonly string[]): CommandOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      hearth: { type: "string", default: MAIN },
      other: { type: "string" },
      profile: { type: "string" },
      subjects: { type: "string" },
      phases: { type: "string" },
      rounds: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    quick: values.quick,
    json: values.json,
    hearth: values.hearth,
    other: values.other,
    profile: values.profile,
    subjects: values.subjects?.split(","),
    phases: values.phases?.split(","),
    rounds: values.rounds === undefined ? undefined : Math.max(1, Number(values.rounds) || 1),
  };
}
