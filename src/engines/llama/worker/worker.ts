// The inside of the process that holds a model: commands in, reports out. The channel, the clock
// and the way out are handed in; what is native lies behind the model that `load` opens.

import { ServiceError, serverError } from "../../../call/index.ts";
import type { Clock } from "../../clock.ts";
import type { LlamaSettings, WorkerCommand, WorkerReport } from "../protocol.ts";
import { Grammars } from "./grammars.ts";
import { explainLoadFailure, loadModel } from "./load-model.ts";
import { PrefixCache } from "./prefix-cache.ts";
import { type Dialogue, type PrepareOptions, prepareCall } from "./prepare-call.ts";
import { Scheduler } from "./scheduler.ts";

export type WorkerOptions = {
  readonly dialogue: Dialogue;
  readonly clock: Clock;
  readonly report: (report: WorkerReport) => void;
  readonly exit: (code: number) => void;
};

export interface Worker {
  take(command: WorkerCommand): void;
  /** For rejections that nobody handles: the library's way to lose a step. False: it is not one. */
  stepLost(reason: unknown): boolean;
}

type Engine = {
  readonly scheduler: Scheduler;
  readonly cache: PrefixCache;
  readonly preparing: PrepareOptions;
};

/**
 * No step takes so long but one that a grammar has led astray: only a new process helps. Looks are
 * counted and not time, since a machine that slept, or a stopped process, is not stuck.
 */
const mostLooks = 12;
const lookEveryMs = 5_000;
/** The native work under way is given so long to end before the process goes anyway. */
const stopGraceMs = 3_000;

export function createWorker({ dialogue, clock, report, exit }: WorkerOptions): Worker {
  let engine: Engine | undefined;
  // Commands about calls keep their order; a question about the state does not wait for them.
  let earlier: Promise<void> = Promise.resolve();

  async function load(settings: LlamaSettings): Promise<void> {
    const begun = clock.now();
    try {
      engine = await openEngine(settings);
    } catch (error) {
      report({ type: "load-failed", message: explainLoadFailure(error, settings) });
      return;
    }
    engine.scheduler.start();
    watch(engine.scheduler);
    report({
      type: "loaded",
      contextTokens: engine.preparing.contextTokens,
      sequences: settings.sequences,
      loadMs: clock.now() - begun,
    });
  }

  async function openEngine(settings: LlamaSettings): Promise<Engine> {
    const loaded = await loadModel(settings);
    const { cacheDirectory, cacheMaxBytes, cacheIdleMs } = settings;
    const cache = await PrefixCache.open({
      directory: cacheDirectory,
      maxBytes: cacheMaxBytes,
      idleMs: cacheIdleMs,
      clock,
    });
    const grammars = new Grammars(loaded.llama, loaded.model);
    const { batch, maxQueue, repeatPenalty } = settings;
    const scheduler = new Scheduler({
      context: loaded.context,
      cache,
      grammars,
      clock,
      batch,
      maxQueue,
      repeatPenalty,
      report,
    });
    const { defaultSystem, cacheMinTokens } = settings;
    const preparing = { ...loaded, dialogue, grammars, defaultSystem, cacheMinTokens };
    return { scheduler, cache, preparing };
  }

  async function run({ id, call }: Extract<WorkerCommand, { type: "run" }>): Promise<void> {
    try {
      if (engine === undefined) throw serverError("no model is loaded");
      engine.scheduler.admit();
      engine.scheduler.submit(await prepareCall(id, call, engine.preparing));
    } catch (error) {
      report(failure(id, error));
    }
  }

  function alive(nonce: number): WorkerReport {
    const cache = engine?.cache.stats ?? { entries: 0, bytes: 0, hits: 0, misses: 0 };
    const stats = {
      running: engine?.scheduler.running ?? 0,
      waiting: engine?.scheduler.waiting ?? 0,
      cacheEntries: cache.entries,
      cacheBytes: cache.bytes,
      cacheHits: cache.hits,
      cacheMisses: cache.misses,
      residentBytes: process.memoryUsage.rss(),
    };
    return { type: "alive", nonce, stats };
  }

  function watch(scheduler: Scheduler, seen?: number, looks = 0): void {
    clock.after(lookEveryMs, () => {
      const { step } = scheduler;
      const same = step !== undefined && step === seen ? looks + 1 : 0;
      if (same < mostLooks) watch(scheduler, step, same);
      else exit(1);
    });
  }

  async function stop(): Promise<void> {
    const late = clock.after(stopGraceMs, () => exit(0));
    await engine?.scheduler.stop();
    await engine?.cache.close();
    late();
    exit(0);
  }

  function inOrder(work: () => void | Promise<void>): void {
    earlier = earlier.then(work);
  }

  return {
    take(command) {
      switch (command.type) {
        case "load":
          return inOrder(() => load(command.settings));
        case "run":
          return inOrder(() => run(command));
        case "cancel":
          return inOrder(() => engine?.scheduler.cancel(command.id));
        case "pause":
        case "resume":
          return inOrder(() => engine?.scheduler.setPaused(command.id, command.type === "pause"));
        case "ask":
          return report(alive(command.nonce));
        case "stop":
          void stop();
      }
    },
    stepLost: (reason) => engine?.scheduler.stepLost(reason) ?? false,
  };
}

function failure(id: number, error: unknown): WorkerReport {
  const known = error instanceof ServiceError ? error : serverError("the call failed", error);
  const { status, type, message, retryAfterSeconds } = known;
  return {
    type: "failed",
    id,
    status,
    errorType: type,
    message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
