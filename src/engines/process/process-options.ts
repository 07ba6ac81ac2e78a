// What a supervised process is told when it is set up.

import type { Clock } from "../clock.ts";
import type { MemoryBudget } from "./memory-budget.ts";

export type ProcessSettings = {
  /** From the fork to `loaded`. */
  readonly startLimitMs: number;
  /** From `stop` to SIGKILL. */
  readonly stopLimitMs: number;
  /** Unloaded after so long without a user. */
  readonly idleMs: number;
  readonly heartbeatMs: number;
  /** Killed after so long without a sign of life. */
  readonly heartbeatLimitMs: number;
  readonly backOffMs: number;
  readonly backOffLimitMs: number;
};

export type Loading = {
  /** The first command. */
  readonly command: object;
  /** Memory that it will take, as far as can be told before. */
  readonly bytes: number;
};

export interface ProcessLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export type ProcessOptions = {
  /** In errors and in the log. */
  readonly name: string;
  /** What is forked. */
  readonly module: URL;
  /** Asked before every start. What it rejects with reaches those who wait. */
  readonly load: (signal: AbortSignal) => Promise<Loading>;
  readonly settings: ProcessSettings;
  readonly budget: MemoryBudget;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: ProcessLog;
  readonly onMessage: (message: unknown) => void;
  /** It ended under its users: whatever they wait for will not come. */
  readonly onDown: (why: Error) => void;
};
