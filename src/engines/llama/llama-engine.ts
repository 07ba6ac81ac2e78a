// A model that runs inside, as an engine: calls go to its process, events come back. What the
// process does, or ceases to do, becomes an answer here: no call waits for one that is gone.

import { mkdir, stat } from "node:fs/promises";
import { type Call, type EventSink, ServiceError } from "../../call/index.ts";
import type { Clock } from "../clock.ts";
import type { ChatEngine, TargetStatus } from "../engine.ts";
import type { MemoryBudget } from "../process/memory-budget.ts";
import type { Loading, ProcessLog, ProcessSettings } from "../process/process-options.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";
import type { LocalWeights } from "./local-weights.ts";
import type { LlamaStats, WorkerCommand, WorkerReport } from "./protocol.ts";
import type { ModelSettings } from "./read-llama-settings.ts";
import { readWorkerReport } from "./read-worker-report.ts";
import { RunningCall } from "./running-call.ts";

export type LlamaEngineOptions = {
  readonly name: string;
  /** What is forked. */
  readonly module: URL;
  readonly weights: LocalWeights;
  readonly model: ModelSettings;
  readonly process: ProcessSettings;
  readonly cacheDirectory: string;
  readonly budget: MemoryBudget;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: ProcessLog;
};

/** Attention state of a small model. Only a first guess: the process tells what it really takes. */
const BYTES_PER_CONTEXT_TOKEN = 24 * 1024;

export class LlamaEngine implements ChatEngine {
  readonly #options: LlamaEngineOptions;
  readonly #process: SupervisedProcess;
  readonly #running = new Map<number, RunningCall>();
  /** Calls that run or wait, wherever they are. */
  #inFlight = 0;
  #lastId = 0;
  #stats: LlamaStats | undefined;

  constructor(options: LlamaEngineOptions) {
    this.#options = options;
    this.#process = new SupervisedProcess({
      name: options.name,
      module: options.module,
      load: (signal) => this.#load(signal),
      settings: options.process,
      budget: options.budget,
      clock: options.clock,
      random: options.random,
      log: options.log,
      onMessage: (message) => this.#heard(readWorkerReport(message)),
      onDown: (why) => this.#wentDown(why),
    });
  }

  /** Most calls it takes: those that run, and those that wait for a place. */
  get capacity(): number {
    return this.#options.model.sequences + this.#options.model.maxQueue;
  }

  /** What the process last told of itself; undefined while it does not run. */
  get stats(): LlamaStats | undefined {
    return this.#process.state === "ready" ? this.#stats : undefined;
  }

  /** Has the weights fetched before anybody asks; says whether they were missing. */
  prepare(): Promise<boolean> {
    return this.#options.weights.prepare();
  }

  async run(call: Call, sink: EventSink, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inFlight >= this.capacity) throw queueIsFull(call.model, this.#options.model);
    this.#inFlight += 1;
    try {
      if (this.#process.state !== "ready") await this.#options.weights.path(signal);
      const lease = await this.#process.enter(signal);
      try {
        await this.#converse(call, sink, signal, lease.send);
      } finally {
        lease.release();
      }
    } finally {
      this.#inFlight -= 1;
    }
  }

  status(): readonly TargetStatus[] {
    const { name } = this.#options;
    const state = this.#process.state === "failed" ? "open" : "healthy";
    return [{ name, state, inFlight: this.#inFlight }];
  }

  async close(): Promise<void> {
    await Promise.all([this.#options.weights.close(), this.#process.close()]);
  }

  async #converse(
    call: Call,
    sink: EventSink,
    signal: AbortSignal,
    send: (command: WorkerCommand) => void,
  ): Promise<void> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const running = new RunningCall({ id, call, sink, send });
    this.#running.set(id, running);
    const leave = (): void => running.cancel(signal.reason);
    signal.addEventListener("abort", leave);
    try {
      await running.outcome;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#running.delete(id);
    }
  }

  async #load(signal: AbortSignal): Promise<Loading> {
    const { weights, model, cacheDirectory } = this.#options;
    const path = await weights.path(signal);
    const { size } = await stat(path);
    await mkdir(cacheDirectory, { recursive: true, mode: 0o700 });
    const command: WorkerCommand = { type: "load", settings: { ...model, path, cacheDirectory } };
    return { command, bytes: size + model.context * model.sequences * BYTES_PER_CONTEXT_TOKEN };
  }

  /** Reports of calls that are over go nowhere: their callers have their answer. */
  #heard(report: WorkerReport | undefined): void {
    switch (report?.type) {
      case "events":
        this.#running.get(report.id)?.deliver(report.events);
        break;
      case "done":
        this.#running.get(report.id)?.done();
        break;
      case "failed":
        this.#running.get(report.id)?.fail(toServiceError(report));
        break;
      case "alive":
        this.#stats = report.stats;
        this.#options.budget.resize(this.#process, report.stats.residentBytes);
    }
  }

  #wentDown(cause: Error): void {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#process.restMs / 1000));
    for (const running of this.#running.values()) {
      running.fail(
        new ServiceError({
          status: 502,
          type: "server_error",
          message: `the engine of ${running.model} stopped; try again`,
          retryAfterSeconds,
          cause,
        }),
      );
    }
  }
}

const queueIsFull = (model: string, { maxQueue }: ModelSettings): ServiceError =>
  new ServiceError({
    status: 503,
    type: "overloaded_error",
    message: `${model} is busy, and ${maxQueue} calls wait for it already; try again`,
    retryAfterSeconds: 1,
  });

const toServiceError = (report: Extract<WorkerReport, { type: "failed" }>): ServiceError =>
  new ServiceError({
    status: report.status,
    type: report.errorType,
    message: report.message,
    ...(report.retryAfterSeconds !== undefined && { retryAfterSeconds: report.retryAfterSeconds }),
  });
