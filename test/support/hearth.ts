// A whole Hearth for a test, on a data directory of its own: in this process when the test
// only talks to it, or as a program when the test starts, signals or kills it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../../src/config/index.ts";
import { createLog } from "../../src/ops/index.ts";
import { type Admin, startService } from "../../src/service/index.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** hearth.json as an object; ports and log level get values that suit a test. */
export type TestConfig = Readonly<Record<string, unknown>>;

export type TestHearth = {
  readonly url: string;
  readonly admin: Admin;
  readonly dataDirectory: string;
  /** Everything logged so far. */
  logs(): string;
  /** Provisions the model and gives its key. */
  key(model: string): Promise<string>;
  stop(): Promise<void>;
};

export async function startHearth(config: TestConfig = {}): Promise<TestHearth> {
  const dataDirectory = await temporaryDirectory();
  let logs = "";
  const service = await startService({
    config: parseConfig(JSON.stringify(forTest(config)), "hearth.json", {}),
    dataDirectory,
    log: createLog({
      level: "debug",
      destination: {
        write(text: string) {
          logs += text;
        },
      },
    }),
  });
  return {
    url: service.url,
    admin: service.admin,
    dataDirectory,
    logs: () => logs,
    key: async (model) => keyOf(await service.admin.create({ model })),
    async stop() {
      await service.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

export type HearthProgram = {
  readonly url: string;
  readonly dataDirectory: string;
  readonly process: ChildProcess;
  /** Lines of standard output so far; the one that says it is ready is among them. */
  readonly greeting: readonly string[];
  /** Resolves when it has printed a line like that. */
  prints(line: RegExp): Promise<void>;
  logs(): string;
  /** Runs `hearth WORDS --data … --config …` and gives what it printed. */
  command(...words: string[]): Promise<CommandResult>;
  /** Sends the signal and resolves with how the program ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

export type CommandResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type ProgramOptions = {
  readonly config?: TestConfig;
  /** Where an earlier program left its data; default: a new directory. */
  readonly dataDirectory?: string;
  readonly nodeArguments?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
};

export async function spawnHearth(options: ProgramOptions = {}): Promise<HearthProgram> {
  const dataDirectory = options.dataDirectory ?? (await temporaryDirectory());
  const config = join(dataDirectory, "hearth.json");
  await writeFile(config, JSON.stringify(forTest(options.config ?? {})));
  const place = ["--data", dataDirectory, "--config", config];
  const before = options.nodeArguments ?? [];
  const child = spawn(process.execPath, [...before, MAIN, "serve", ...place], {
    stdio: ["ignore", "pipe", "pipe"],
    env: options.environment ?? process.env,
  });
  let logs = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    logs += text;
  });
  const exited = once(child, "exit");
  const greeting: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      greeting.push(line);
      const ready = / is ready at (\S+)/.exec(line);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    void exited.then(([code]) => reject(new Error(`hearth ended with ${code}: ${logs}`)));
  });
  return {
    url,
    dataDirectory,
    process: child,
    greeting,
    async prints(line) {
      while (!greeting.some((each) => line.test(each))) await once(lines, "line");
    },
    logs: () => logs,
    command: (...words) => runHearth([...words, ...place]),
    async end(signal) {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}

/** Runs the program to its end. */
export async function runHearth(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), "hearth-"));

/** Models that run inside are off unless the test wants them: nothing is fetched. */
function forTest(config: TestConfig): TestConfig {
  const http = typeof config.http === "object" ? config.http : {};
  const local = typeof config.local === "object" ? config.local : {};
  return { ...config, http: { port: 0, ...http }, local: { models: false, ...local } };
}

function keyOf(created: { alias: string; config: Readonly<Record<string, string>> }): string {
  const key = created.config[`${created.alias}_KEY`];
  if (key === undefined) throw new Error(`no key for ${created.alias}`);
  return key;
}
