// One child process, from its fork to its end: what is sent to it, what it says, and how it
// ended. It is in a process group of its own, so that Ctrl-C in a terminal reaches the service
// alone, which lets running calls finish before it ends its children.

import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import type { Clock } from "../clock.ts";
import { childEnvironment } from "./child-environment.ts";
import { ChildOutput } from "./child-output.ts";

export type ChildEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when it could not be started at all. */
  readonly error?: Error;
  readonly lastLines: readonly string[];
};

export type ForkOptions = {
  readonly module: URL;
  readonly clock: Clock;
  readonly onMessage: (message: unknown) => void;
  readonly onLine: (line: string) => void;
};

/** Messages and last words may still be in the pipes when the process is gone. */
const LAST_WORDS_MS = 250;

const GUARD = new URL(`./child-guard${extname(import.meta.url)}`, import.meta.url);

export class ForkedChild {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #output: ChildOutput;
  /** Never rejects. */
  readonly ended: Promise<ChildEnd>;

  constructor({ module, clock, onMessage, onLine }: ForkOptions) {
    this.#clock = clock;
    this.#output = new ChildOutput({ clock, onLine });
    this.#child = fork(module, {
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: childEnvironment(process.env),
      execArgv: ["--import", GUARD.href],
      detached: true,
    });
    if (this.#child.stdout !== null) this.#output.read(this.#child.stdout);
    if (this.#child.stderr !== null) this.#output.read(this.#child.stderr);
    this.#child.on("message", onMessage);
    this.ended = this.#watch();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** To a process that is gone it is lost: its end is reported by `ended`. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Asks for an orderly end, and makes sure of it after the limit. */
  async stop(message: object, limitMs: number): Promise<ChildEnd> {
    this.send(message);
    const cancel = this.#clock.after(limitMs, () => this.kill());
    const end = await this.ended;
    cancel();
    return end;
  }

  #watch(): Promise<ChildEnd> {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (how: Omit<ChildEnd, "lastLines">): void =>
        resolve({ ...how, lastLines: this.#output.lastLines });
      // After a start, `error` only says that a message or a signal did not arrive.
      child.on("error", (error) => {
        if (child.pid === undefined) end({ code: null, signal: null, error });
      });
      child.once("exit", (code, signal) => {
        const cancel = this.#clock.after(LAST_WORDS_MS, () => end({ code, signal }));
        child.once("close", () => {
          cancel();
          end({ code, signal });
        });
      });
    });
  }
}

/** `exit code 1`, `signal SIGKILL` */
export function describeEnd({ code, signal, error }: ChildEnd): string {
  if (error !== undefined) return error.message;
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
