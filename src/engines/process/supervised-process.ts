// A child process that is there when it is needed: started by its first user, shared by all,
// stopped when idle, started again when it died, killed when it is stuck. Native code in it may
// do its worst: the service sees an error and a new process, and never waits for ever.

import { overloaded, ServiceError } from "../../call/index.ts";
import { orAbort } from "../or-abort.ts";
import { pause } from "../pause.ts";
import { BackOff } from "./back-off.ts";
import { type ChildEnd, describeEnd, ForkedChild } from "./forked-child.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { BudgetHolder } from "./memory-budget.ts";
import type { ProcessOptions } from "./process-options.ts";
import { readStartReport, type SupervisorCommand } from "./process-words.ts";

/** `failed`: it died, and rests before it is started again. */
export type ProcessState = "cold" | "starting" | "ready" | "stopping" | "failed" | "closed";

/** The right to use the process until it is given back. */
export interface ProcessLease {
  send(command: object): void;
  release(): void;
}

/** A new start that is nearer than this is waited for; a later one is told as Retry-After. */
const PATIENCE_MS = 3000;
const STOP: SupervisorCommand = { type: "stop" };

export class SupervisedProcess implements BudgetHolder {
  readonly name: string;
  readonly #options: ProcessOptions;
  readonly #backOff: BackOff;
  readonly #closing = new AbortController();
  #state: ProcessState = "cold";
  #child: ForkedChild | undefined;
  #starting: Promise<void> | undefined;
  #startReport: PromiseWithResolvers<void> | undefined;
  /** The end of the process before: no two hold the same memory. */
  #gone: Promise<void> = Promise.resolve();
  #heartbeat: Heartbeat | undefined;
  #cancelIdle: () => void = () => {};
  #users = 0;
  #lastUsedAt = 0;
  #readyAt = 0;

  constructor(options: ProcessOptions) {
    this.name = options.name;
    this.#options = options;
    const { clock, random, settings } = options;
    const { backOffMs: baseMs, backOffLimitMs: limitMs } = settings;
    this.#backOff = new BackOff({ baseMs, limitMs, clock, random });
  }

  get state(): ProcessState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get idle(): boolean {
    return this.#state === "ready" && this.#users === 0;
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** How long until it is started again; 0 unless it has failed. */
  get restMs(): number {
    return this.#state === "failed" ? this.#backOff.restMs : 0;
  }

  /** Resolves with the running process; the first who asks has it started. */
  async enter(signal: AbortSignal): Promise<ProcessLease> {
    this.#users += 1;
    this.#cancelIdle();
    try {
      while (this.#state !== "ready") {
        signal.throwIfAborted();
        this.#refuseWhileItRests();
        await orAbort(this.#start(), signal);
      }
    } catch (error) {
      this.#leave();
      throw error;
    }
    this.#lastUsedAt = this.#options.clock.now();
    const child = this.#child;
    let held = true;
    return {
      send: (command) => child?.send(command),
      release: () => {
        if (held) this.#leave();
        held = false;
      },
    };
  }

  /** Starts it before anybody asks. What goes wrong is in the log. */
  warm(): void {
    if (this.#state === "cold") this.#start().catch(() => undefined);
  }

  async unload(): Promise<void> {
    if (!this.idle) return;
    this.#state = "stopping";
    this.#options.log.info({ process: this.name }, "unloading after idle time, or to make room");
    this.#dismiss((child) => this.#stop(child));
    await this.#gone;
    if (this.#state === "stopping") this.#state = "cold";
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      const wasReady = this.#state === "ready";
      this.#state = "closed";
      this.#closing.abort(overloaded(`${this.name} is shutting down`));
      this.#dismiss(wasReady ? (child) => this.#stop(child) : kill);
      this.#startReport?.reject(this.#closing.signal.reason);
      if (wasReady) this.#options.onDown(new Error("the service is shutting down"));
    }
    await this.#gone;
    await this.#starting?.catch(() => undefined);
  }

  #start(): Promise<void> {
    this.#starting ??= this.#bringUp().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #bringUp(): Promise<void> {
    const { clock, budget, load } = this.#options;
    const closing = this.#closing.signal;
    await this.#gone;
    if (this.restMs > 0) await pause(this.restMs, clock, closing);
    closing.throwIfAborted();
    this.#state = "starting";
    try {
      const { command, bytes } = await load(closing);
      await budget.reserve(this, bytes);
      closing.throwIfAborted();
      await this.#load(command);
    } catch (error) {
      if (closing.aborted) throw closing.reason;
      if (this.#state === "starting") {
        // Nothing was wrong with the process: there was none yet.
        this.#state = "cold";
        budget.release(this);
      }
      throw error;
    }
  }

  async #load(command: object): Promise<void> {
    const { clock, log, settings, module } = this.#options;
    const beganAt = clock.now();
    const report = Promise.withResolvers<void>();
    this.#startReport = report;
    const child = new ForkedChild({
      module,
      clock,
      onMessage: (message) => this.#heard(child, message),
      onLine: (line) => log.debug({ process: this.name, pid: child.pid }, line),
    });
    this.#child = child;
    void child.ended.then((end) => this.#ended(child, end));
    const cancel = clock.after(settings.startLimitMs, () =>
      this.#fail(`was not loaded within ${settings.startLimitMs / 1000} s`),
    );
    child.send(command);
    try {
      await report.promise;
    } finally {
      cancel();
      this.#startReport = undefined;
    }
    this.#state = "ready";
    this.#readyAt = clock.now();
    log.info({ process: this.name, pid: child.pid, ms: this.#readyAt - beganAt }, "loaded");
    this.#heartbeat = new Heartbeat({
      intervalMs: settings.heartbeatMs,
      limitMs: settings.heartbeatLimitMs,
      clock,
      ask: (nonce) => child.send({ type: "ask", nonce } satisfies SupervisorCommand),
      onStuck: () => this.#fail(`gave no sign of life for ${settings.heartbeatLimitMs / 1000} s`),
    });
    if (this.#users === 0) this.#waitForIdle();
  }

  #heard(child: ForkedChild, message: unknown): void {
    if (child !== this.#child) return;
    this.#heartbeat?.heard();
    const report = readStartReport(message);
    if (report === undefined) this.#options.onMessage(message);
    else if (report.type === "loaded") this.#startReport?.resolve();
    else this.#fail(`could not be loaded: ${report.message}`);
  }

  #ended(child: ForkedChild, end: ChildEnd): void {
    if (child === this.#child) this.#fail(`stopped (${describeEnd(end)})`, end.lastLines);
  }

  /** It died or has to die. Those who use it are told at once, those who come later wait. */
  #fail(what: string, lastLines: readonly string[] = []): void {
    const { clock, log, onDown } = this.#options;
    const wasReady = this.#state === "ready";
    this.#backOff.failed(wasReady ? clock.now() - this.#readyAt : 0);
    this.#state = "failed";
    // Once it serves, what it prints may quote its callers (llama.cpp prints a grammar that it
    // cannot parse), and no caller's words go into the log.
    const output = wasReady ? [] : lastLines;
    log.warn(
      { process: this.name, pid: this.#child?.pid, output, again_in_ms: this.restMs },
      `the engine ${what}`,
    );
    this.#dismiss(kill);
    const cause = new Error([`the engine of ${this.name} ${what}`, ...output].join("\n"));
    if (!wasReady) this.#startReport?.reject(this.#unavailable(what, cause));
    else {
      onDown(cause);
      // Whoever was used comes back by itself; whoever nobody wanted waits to be asked.
      if (this.#lastUsedAt >= this.#readyAt) this.#start().catch(() => undefined);
    }
  }

  #stop(child: ForkedChild): Promise<ChildEnd> {
    return child.stop(STOP, this.#options.settings.stopLimitMs);
  }

  #dismiss(end: (child: ForkedChild) => Promise<unknown>): void {
    const child = this.#child;
    this.#child = undefined;
    this.#heartbeat?.stop();
    this.#cancelIdle();
    if (child === undefined) return;
    this.#gone = end(child).then(() => this.#options.budget.release(this));
  }

  #leave(): void {
    this.#users -= 1;
    this.#lastUsedAt = this.#options.clock.now();
    if (this.idle) this.#waitForIdle();
  }

  #waitForIdle(): void {
    const { clock, settings } = this.#options;
    this.#cancelIdle = clock.after(settings.idleMs, () => void this.unload());
  }

  #refuseWhileItRests(): void {
    this.#closing.signal.throwIfAborted();
    if (this.restMs > PATIENCE_MS) throw this.#unavailable("keeps failing; the log says why");
  }

  #unavailable(what: string, cause?: Error): ServiceError {
    return new ServiceError({
      status: 503,
      type: "overloaded_error",
      message: `the engine of ${this.name} ${what}`,
      retryAfterSeconds: Math.max(1, Math.ceil(this.restMs / 1000)),
      cause,
    });
  }
}

function kill(child: ForkedChild): Promise<ChildEnd> {
  child.kill();
  return child.ended;
}
