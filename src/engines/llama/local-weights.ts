// The weights of one model as its callers meet them: there, or on their way. The first who needs
// them has them fetched; whoever comes meanwhile waits a little, and is then told how far it is.

import { ServiceError } from "../../call/index.ts";
import type { PullProgress, WeightsReference, WeightsStore } from "../../weights/weights.ts";
import type { Clock } from "../clock.ts";
import { orAbort } from "../or-abort.ts";
import { BackOff } from "../process/back-off.ts";
import type { ProcessLog } from "../process/process-options.ts";
import { describeProgress } from "./describe-progress.ts";

export type LocalWeightsOptions = {
  /** The model's name, in errors and in the log. */
  readonly name: string;
  readonly reference: WeightsReference;
  readonly store: WeightsStore;
  /** How long a call waits for a pull. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: ProcessLog;
  /** Hears of every step of a pull; without it, the log does every few seconds. */
  readonly onProgress?: ((name: string, progress: PullProgress | "done") => void) | undefined;
};

const LOG_EVERY_MS = 5000;
const BACK_OFF_MS = 5000;
const BACK_OFF_LIMIT_MS = 300_000;
const LEAST_RETRY_SECONDS = 5;
const MOST_RETRY_SECONDS = 60;

export class LocalWeights {
  readonly #options: LocalWeightsOptions;
  readonly #closing = new AbortController();
  readonly #backOff: BackOff;
  #pull: Promise<string> | undefined;
  #beganAt = 0;
  #progress: PullProgress | undefined;
  #problem = "";

  constructor(options: LocalWeightsOptions) {
    this.#options = options;
    const { clock, random } = options;
    const limits = { baseMs: BACK_OFF_MS, limitMs: BACK_OFF_LIMIT_MS };
    this.#backOff = new BackOff({ ...limits, clock, random });
  }

  /** Where the file is; 503 when it is not here in time. */
  async path(signal: AbortSignal): Promise<string> {
    const { store, reference, clock, waitMs } = this.#options;
    if (this.#pull === undefined) {
      const found = await store.find(reference).catch((error) => {
        throw this.#unavailable("has weights that cannot be read; the log says why", 5, error);
      });
      signal.throwIfAborted();
      if (found !== undefined) return found;
      if (this.#backOff.restMs > 0) throw this.#notFetched();
    }
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(waitMs, () => late.reject(this.#notYet()));
    try {
      return await orAbort(Promise.race([this.#fetch(), late.promise]), signal);
    } finally {
      cancel();
    }
  }

  /**
   * Has them fetched before anybody asks, and says at once whether they were missing. What goes
   * wrong is in the log, and told to whoever calls.
   */
  async prepare(): Promise<boolean> {
    const { store, reference } = this.#options;
    const isMissing = await store.find(reference).then(
      (found) => found === undefined,
      () => false,
    );
    if (isMissing) this.#fetch().catch(() => undefined);
    return isMissing;
  }

  async close(): Promise<void> {
    this.#closing.abort(this.#unavailable("is shutting down", 1));
    await this.#pull?.catch(() => undefined);
  }

  #fetch(): Promise<string> {
    this.#pull ??= this.#pullNow().finally(() => {
      this.#pull = undefined;
      this.#progress = undefined;
    });
    return this.#pull;
  }

  async #pullNow(): Promise<string> {
    const { name, store, reference, clock, log, onProgress } = this.#options;
    const signal = this.#closing.signal;
    signal.throwIfAborted();
    this.#beganAt = clock.now();
    let loggedAt = this.#beganAt;
    log.info({ model: name, source: reference.source }, "fetching weights");
    try {
      const path = await store.pull(reference, {
        signal,
        onProgress: (progress) => {
          this.#progress = progress;
          onProgress?.(name, progress);
          if (onProgress !== undefined || clock.now() - loggedAt < LOG_EVERY_MS) return;
          loggedAt = clock.now();
          log.info({ model: name }, `fetching weights: ${describeProgress(progress)}`);
        },
      });
      onProgress?.(name, "done");
      log.info({ model: name, ms: clock.now() - this.#beganAt, path }, "the weights are here");
      return path;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.#backOff.failed(0);
      this.#problem = error instanceof Error ? error.message : String(error);
      const again = this.#backOff.restMs;
      log.warn({ model: name, err: error, again_in_ms: again }, "the weights were not fetched");
      throw this.#notFetched(error);
    }
  }

  #notYet(): ServiceError {
    const progress = this.#progress;
    if (progress === undefined)
      return this.#unavailable("is fetching weights", LEAST_RETRY_SECONDS);
    const { doneBytes, totalBytes = doneBytes } = progress;
    const passedMs = this.#options.clock.now() - this.#beganAt;
    const seconds = retrySeconds((passedMs * (totalBytes - doneBytes)) / doneBytes);
    return this.#unavailable(`is fetching weights: ${describeProgress(progress)}`, seconds);
  }

  #notFetched(cause?: unknown): ServiceError {
    const seconds = Math.ceil(this.#backOff.restMs / 1000);
    return this.#unavailable(`could not fetch its weights: ${this.#problem}`, seconds, cause);
  }

  #unavailable(what: string, retryAfterSeconds: number, cause?: unknown): ServiceError {
    return new ServiceError({
      status: 503,
      type: "overloaded_error",
      message: `${this.#options.name} ${what}`,
      retryAfterSeconds: Math.max(1, retryAfterSeconds),
      cause,
    });
  }
}

function retrySeconds(leftMs: number): number {
  const seconds = Number.isFinite(leftMs) ? Math.ceil(leftMs / 1000) : MOST_RETRY_SECONDS;
  return Math.min(MOST_RETRY_SECONDS, Math.max(LEAST_RETRY_SECONDS, seconds));
}
