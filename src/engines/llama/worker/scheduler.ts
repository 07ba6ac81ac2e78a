// Continuous batching over the sequences of one context. In every round all calls that write take
// one step together, in the order of their sequences, which is what fills a batch; then one chunk
// of prompts is read, so a long prompt costs the others one chunk between two tokens and no more.
// Calls join and leave between rounds.

import type { LlamaContext } from "node-llama-cpp";
import { type CallEvent, overloaded, ServiceError, serverError } from "../../../call/index.ts";
import type { Clock } from "../../clock.ts";
import type { WorkerReport } from "../protocol.ts";
import { CallQueue } from "./call-queue.ts";
import { chooseSlot } from "./choose-slot.ts";
import type { Grammars } from "./grammars.ts";
import type { PrefixCache } from "./prefix-cache.ts";
import { type PreparedCall, Run } from "./run.ts";
import { Slot } from "./slot.ts";
import { StepGuard } from "./step-guard.ts";

export type SchedulerOptions = {
  readonly context: LlamaContext;
  readonly cache: PrefixCache;
  readonly grammars: Grammars;
  readonly clock: Clock;
  /** Prompt tokens read in one round. */
  readonly batch: number;
  readonly maxQueue: number;
  readonly repeatPenalty: number;
  readonly report: (report: WorkerReport) => void;
};

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #slots: readonly Slot[];
  /** By slot, so that walking it is walking the sequences in order. */
  readonly #runs: (Run | undefined)[];
  readonly #queue = new CallQueue<PreparedCall>();
  readonly #waiting = new Map<number, PreparedCall>();
  readonly #byId = new Map<number, Run>();
  readonly #pausedEarly = new Set<number>();
  readonly #guard: StepGuard;
  #wake: () => void = () => undefined;
  #readingTurn = 0;
  #stopped = false;
  #loop: Promise<void> | undefined;
  /** Mean duration of a call, for telling a refused one when to come back. */
  #meanMs = 1000;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#guard = new StepGuard(options.clock);
    const { context, cache } = options;
    this.#slots = Array.from({ length: context.totalSequences }, () => new Slot(context, cache));
    this.#runs = this.#slots.map(() => undefined);
  }

  get running(): number {
    return this.#byId.size;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Throws where the call would wait behind too many; asked before anything is done for it. */
  admit(): void {
    const { length } = this.#slots;
    if (this.running + this.waiting < length + this.#options.maxQueue) return;
    const seconds = Math.ceil((this.#meanMs / 1000) * ((this.waiting + 1) / length));
    throw overloaded(
      `this model runs ${this.running} calls and ${this.waiting} more wait`,
      Math.min(60, Math.max(1, seconds)),
    );
  }

  submit(prepared: PreparedCall): void {
    this.#waiting.set(prepared.id, prepared);
    this.#queue.add(prepared.call.caller, prepared);
    this.#wake();
  }

  cancel(id: number): void {
    const prepared = this.#waiting.get(id);
    if (prepared !== undefined) {
      this.#waiting.delete(id);
      this.#pausedEarly.delete(id);
      this.#queue.remove(prepared.call.caller, prepared);
      this.#options.report({ type: "done", id });
    }
    const run = this.#byId.get(id);
    if (run !== undefined) run.cancelled = true;
    this.#wake();
  }

  setPaused(id: number, paused: boolean): void {
    if (this.#waiting.has(id)) {
      if (paused) this.#pausedEarly.add(id);
      else this.#pausedEarly.delete(id);
    }
    const run = this.#byId.get(id);
    if (run !== undefined) run.paused = paused;
    this.#wake();
  }

  start(): void {
    this.#loop ??= this.#work();
  }

  /** Resolves after the piece of native work that is under way; nothing is finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#loop;
  }

  /** The number of the step that is under way; undefined between steps. */
  get step(): number | undefined {
    return this.#guard.step;
  }

  /** Some sequence's token will never come; false when no step is out, so none can be lost. */
  stepLost(reason: unknown): boolean {
    return this.#guard.lose(reason);
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (!(await this.#round())) await woken;
    }
  }

  /** One round; false when there was nothing to do. */
  async #round(): Promise<boolean> {
    await Promise.all(this.#active((run) => run.cancelled).map((run) => this.#leave(run)));
    const joined = await this.#join();
    const writers = this.#active((run) => !run.paused && !run.cancelled && !run.reads);
    await Promise.all(writers.map((run) => this.#step(run)));
    const read = await this.#read();
    return joined || writers.length > 0 || read;
  }

  #active(wanted: (run: Run) => boolean): Run[] {
    return this.#runs.filter((run) => run !== undefined).filter(wanted);
  }

  async #join(): Promise<boolean> {
    let joined = false;
    while (this.running < this.#slots.length) {
      const prepared = this.#queue.take();
      if (prepared === undefined) break;
      await this.#enter(prepared);
      joined = true;
    }
    return joined;
  }

  async #enter(prepared: PreparedCall): Promise<void> {
    const { id, call, prefix } = prepared;
    const kept = prefix.length > 0 ? this.#options.cache.find(call.caller, prefix) : undefined;
    const views = this.#slots.map(({ held }, place) => ({ held, free: !this.#runs[place] }));
    const place = chooseSlot(views, kept);
    const slot = this.#slots[place];
    if (slot === undefined) throw new Error("a call was let in without a free slot");
    const run = new Run(prepared, { ...this.#options, slot });
    run.paused = this.#pausedEarly.delete(id);
    this.#waiting.delete(id);
    this.#byId.set(id, run);
    this.#runs[place] = run;
    try {
      await run.enter(kept);
      this.#reportEvents(id, prepared.generation.begin());
    } catch (error) {
      await this.#fail(run, error);
    }
  }

  async #step(run: Run): Promise<void> {
    try {
      const { events, finished } = await this.#guard.watch(run.step());
      this.#reportEvents(run.prepared.id, events);
      if (finished) await this.#leave(run);
    } catch (error) {
      await this.#fail(run, error);
    }
  }

  /** One chunk in all: those who read take turns, and short prompts share it. */
  async #read(): Promise<boolean> {
    const readers = this.#active((run) => !run.paused && !run.cancelled && run.reads);
    if (readers.length === 0) return false;
    this.#readingTurn = (this.#readingTurn + 1) % readers.length;
    const turns = [...readers.slice(this.#readingTurn), ...readers.slice(0, this.#readingTurn)];
    let room = this.#options.batch;
    const parts: Promise<void>[] = [];
    for (const run of turns) {
      const count = run.nextChunk(room);
      if (count === 0) continue;
      room -= count;
      parts.push(run.read(count).catch((error: unknown) => this.#fail(run, error)));
      if (room === 0) break;
    }
    await Promise.all(parts);
    return true;
  }

  /** The call is over, or its caller has gone: what it used is told in either case. */
  async #leave(run: Run): Promise<void> {
    const { id } = run.prepared;
    this.#forget(run);
    await run.close();
    if (run.cancelled) this.#reportEvents(id, [run.usage()]);
    this.#options.report({ type: "done", id });
  }

  async #fail(run: Run, error: unknown): Promise<void> {
    const { id } = run.prepared;
    this.#forget(run);
    if (this.#guard.isLoss(error)) await run.slot.replace();
    else await run.close();
    this.#reportEvents(id, [run.usage()]);
    const known = error instanceof ServiceError ? error : serverError("the model failed", error);
    const { status, type, message } = known;
    this.#options.report({ type: "failed", id, status, errorType: type, message });
  }

  #forget(run: Run): void {
    const index = this.#runs.indexOf(run);
    if (index === -1) return;
    this.#runs[index] = undefined;
    this.#byId.delete(run.prepared.id);
    const tookMs = this.#options.clock.now() - run.startedAt;
    this.#meanMs += (tookMs - this.#meanMs) / 8;
  }

  #reportEvents(id: number, events: readonly CallEvent[]): void {
    if (events.length > 0) this.#options.report({ type: "events", id, events });
  }
}
