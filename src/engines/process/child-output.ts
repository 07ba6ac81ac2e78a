// What a supervised process prints: kept for the day it dies, and passed on to the log. Both are
// bounded, so that a library that floods its standard error costs us neither memory nor disk.

import type { Readable } from "node:stream";
import type { Clock } from "../clock.ts";

const KEPT_LINES = 20;
const LONGEST_LINE = 500;
const LINES_PER_PERIOD = 100;
const PERIOD_MS = 10_000;

export type ChildOutputOptions = {
  readonly clock: Clock;
  /** A line for the log. When too many come, one says how many were left out. */
  readonly onLine: (line: string) => void;
};

export class ChildOutput {
  readonly #options: ChildOutputOptions;
  readonly #kept: string[] = [];
  #periodEnds = 0;
  #passed = 0;
  #leftOut = 0;

  constructor(options: ChildOutputOptions) {
    this.#options = options;
  }

  /** The last lines, oldest first. */
  get lastLines(): readonly string[] {
    return this.#kept;
  }

  read(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
      for (const line of lines) this.#take(line);
    });
    stream.on("end", () => this.#take(rest));
  }

  #take(line: string): void {
    const shown = line.slice(0, LONGEST_LINE).trimEnd();
    if (shown === "") return;
    this.#kept.push(shown);
    if (this.#kept.length > KEPT_LINES) this.#kept.shift();
    const now = this.#options.clock.now();
    if (now >= this.#periodEnds) this.#beginPeriod(now);
    this.#passed += 1;
    if (this.#passed <= LINES_PER_PERIOD) this.#options.onLine(shown);
    else this.#leftOut += 1;
  }

  #beginPeriod(now: number): void {
    this.#periodEnds = now + PERIOD_MS;
    this.#passed = 0;
    if (this.#leftOut > 0) this.#options.onLine(`(${this.#leftOut} lines left out)`);
    this.#leftOut = 0;
  }
}
