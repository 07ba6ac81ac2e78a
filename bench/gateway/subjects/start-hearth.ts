// Hearth as an operator runs it, on a data directory of its own, with everything on: a key,
// limits that are far away but counted, the ledger, metrics, and the log into a file.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { endProcess } from "../program.ts";
import { PUBLIC_MODEL, UPSTREAM_MODEL } from "../wire.ts";
import type { Subject } from "./subject.ts";

const run = promisify(execFile);
const PROFILER = new URL("profile-on-signal.ts", import.meta.url).href;
const Created = Compile(
  Type.Object({ alias: Type.String(), config: Type.Record(Type.String(), Type.String()) }),
);

export type HearthOptions = {
  readonly name: string;
  /** The program's main file. */
  readonly entry: string;
  readonly upstreamPort: number;
  /** Where a CPU profile of everything after the warm-up goes. */
  readonly profileDirectory?: string | undefined;
};

export async function startHearth(options: HearthOptions): Promise<Subject> {
  const directory = await mkdtemp(join(tmpdir(), "hearth-bench-"));
  const config = join(directory, "hearth.json");
  await writeFile(config, JSON.stringify(configuration(options.upstreamPort)));
  const logPath = join(directory, "hearth.log");
  const log = await open(logPath, "w");
  const { entry, profileDirectory } = options;
  const flags = profileDirectory === undefined ? [] : ["--import", PROFILER];
  const place = ["--data", directory, "--config", config];
  const child = spawn(process.execPath, [...flags, entry, "serve", "--port", "0", ...place], {
    stdio: ["ignore", "pipe", log.fd],
    env: { ...process.env, BENCH_PROFILE_DIRECTORY: profileDirectory },
  });
  const url = await readAddress(child, logPath);
  await log.close();
  const words = [entry, "models", "create", PUBLIC_MODEL, "--json", ...place];
  const created = Created.Parse(JSON.parse((await run(process.execPath, words)).stdout));
  return {
    name: options.name,
    pid: child.pid ?? 0,
    port: Number(new URL(url).port),
    headers: { authorization: `Bearer ${created.config[`${created.alias}_KEY`]}` },
    model: PUBLIC_MODEL,
    warm() {
      if (profileDirectory !== undefined) child.kill("SIGUSR2");
    },
    async stop() {
      await endProcess(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Rejects with what it logged when it ends instead. */
async function readAddress(child: ChildProcess, logPath: string): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error("Hearth's standard output is not ours to read");
  const ended = once(child, "exit");
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).on("line", (line) => {
      const ready = / is ready at (\S+)/.exec(line)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    void ended.then(async () => reject(new Error(await readFile(logPath, "utf8"))));
  });
}

const configuration = (upstreamPort: number) => ({
  models: {
    [PUBLIC_MODEL]: {
      kind: "chat",
      limits: { requests: 1_000_000_000, tokens: 1_000_000_000_000 },
      engine: {
        type: "openai",
        base_url: `http://127.0.0.1:${upstreamPort}/v1`,
        api_key: "bench-key-of-the-upstream",
        model: UPSTREAM_MODEL,
      },
    },
  },
  upstream: { connections: 1024 },
});
