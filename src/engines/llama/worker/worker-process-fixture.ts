// A worker in its own process, as the service sees it, with what a test wants to know of each
// call gathered. The scripted model is written once for each test file.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeScriptedModel } from "../../../../test/support/gguf/scripted-model.ts";
import type { Script } from "../../../../test/support/gguf/scripted-vocabulary.ts";
import type { Call, CallEvent, FinishReason, Usage } from "../../../call/index.ts";
import type { LlamaSettings, LlamaStats, WorkerCommand, WorkerReport } from "../protocol.ts";

type Failure = Extract<WorkerReport, { type: "failed" }>;

export type Outcome = {
  text: string;
  thinking: string;
  usage: Usage | undefined;
  finish: FinishReason | undefined;
  failed: Failure | undefined;
  /** Event reports, in order. */
  reports: (readonly CallEvent[])[];
};

export class WorkerProcess {
  readonly child: ChildProcess;
  readonly settings: LlamaSettings;
  /** Every report in order of arrival. */
  readonly log: WorkerReport[] = [];
  readonly #outcomes = new Map<number, Outcome>();
  readonly #listeners = new Set<(report: WorkerReport) => void>();
  #ids = 0;

  constructor(settings: LlamaSettings, main = "./main-fixture.ts") {
    this.settings = settings;
    this.child = fork(new URL(main, import.meta.url), { serialization: "advanced" });
    this.child.setMaxListeners(0);
    this.child.on("message", (report: WorkerReport) => this.#take(report));
  }

  send(command: WorkerCommand): void {
    this.child.send(command);
  }

  /** The next report that fits, or one that came already. */
  report(fits: (report: WorkerReport) => boolean): Promise<WorkerReport> {
    const known = this.log.find(fits);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      this.child.once("exit", () => reject(new Error("the worker has gone")));
      const listener = (report: WorkerReport): void => {
        if (!fits(report)) return;
        this.#listeners.delete(listener);
        resolve(report);
      };
      this.#listeners.add(listener);
    });
  }

  async load(): Promise<WorkerReport> {
    this.send({ type: "load", settings: this.settings });
    return this.report(({ type }) => type === "loaded" || type === "load-failed");
  }

  start(call: Call): { id: number; outcome: Promise<Outcome> } {
    this.#ids += 1;
    const id = this.#ids;
    const gathered: Outcome = {
      text: "",
      thinking: "",
      usage: undefined,
      finish: undefined,
      failed: undefined,
      reports: [],
    };
    this.#outcomes.set(id, gathered);
    this.send({ type: "run", id, call });
    const over = this.report(
      (report) => (report.type === "done" || report.type === "failed") && report.id === id,
    );
    const outcome = over.then(() => gathered);
    // A worker that is stopped leaves calls open that no test waits for.
    outcome.catch(() => undefined);
    return { id, outcome };
  }

  run(call: Call): Promise<Outcome> {
    return this.start(call).outcome;
  }

  /** The first report of events of this call. */
  begun(id: number): Promise<WorkerReport> {
    return this.report((report) => report.type === "events" && report.id === id);
  }

  async stats(): Promise<LlamaStats> {
    this.#ids += 1;
    const nonce = this.#ids;
    this.send({ type: "ask", nonce });
    const report = await this.report((one) => one.type === "alive" && one.nonce === nonce);
    if (report.type !== "alive") throw new Error("not an answer");
    return report.stats;
  }

  async stop(): Promise<number | null> {
    const { exitCode } = this.child;
    if (exitCode !== null) return exitCode;
    const exit = once(this.child, "exit");
    this.send({ type: "stop" });
    const [code] = await exit;
    return code;
  }

  #take(report: WorkerReport): void {
    this.log.push(report);
    const outcome = "id" in report ? this.#outcomes.get(report.id) : undefined;
    if (outcome !== undefined) gather(outcome, report);
    for (const listener of this.#listeners) listener(report);
  }
}

function gather(outcome: Outcome, report: WorkerReport): void {
  if (report.type === "failed") outcome.failed = report;
  if (report.type !== "events") return;
  outcome.reports.push(report.events);
  for (const event of report.events) {
    if (event.type === "text") outcome.text += event.text;
    if (event.type === "thinking") outcome.thinking += event.text;
    if (event.type === "usage") outcome.usage = event.usage;
    if (event.type === "finish") outcome.finish = event.reason;
  }
}

export async function scriptedSettings(
  script: Script,
  changes: Partial<LlamaSettings> = {},
): Promise<LlamaSettings> {
  const directory = await mkdtemp(join(tmpdir(), "hearth-worker-"));
  const path = join(directory, "model.gguf");
  await writeScriptedModel({ path, script, context: 8192 });
  return {
    path,
    threads: 1,
    sequences: 4,
    context: 1024,
    batch: 64,
    gpu: "none",
    repeatPenalty: 1,
    defaultSystem: null,
    maxQueue: 64,
    cacheMinTokens: 16,
    cacheMaxBytes: 1024 ** 2,
    cacheIdleMs: 300_000,
    cacheDirectory: join(directory, "prefixes"),
    ...changes,
  };
}

/** A call whose user says just this. */
export const callOf = (user: string, changes: Partial<Call> = {}): Call => ({
  id: "call",
  model: "scripted",
  caller: "someone",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: user }] }],
  tools: [],
  toolChoice: { type: "auto" },
  parallelToolCalls: true,
  sampling: { temperature: 0, topP: 1, stop: [] },
  maxOutputTokens: 400,
  format: { type: "text" },
  promptCaching: true,
  stream: true,
  ...changes,
});
