// Where the run stands: one line that is rewritten on a terminal, a line a step elsewhere.

import type { WriteStream } from "node:tty";

export interface Progress {
  /** How many steps there will be. */
  expect(steps: number): void;
  step(what: string): void;
  note(text: string): void;
  finish(): void;
}

export function createProgress(output: NodeJS.WriteStream | WriteStream): Progress {
  const startedAt = performance.now();
  let steps = 0;
  let done = 0;
  const elapsed = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  const clear = output.isTTY ? "\r\x1b[K" : "";
  const end = output.isTTY ? "" : "\n";
  return {
    expect(count) {
      steps = count;
    },
    step(what) {
      done += 1;
      const line = `[${done}/${steps}, ${elapsed()}] ${what}`;
      const shown = output.isTTY ? line.slice(0, (output.columns ?? 80) - 1) : line;
      output.write(`${clear}${shown}${end}`);
    },
    note(text) {
      output.write(`${clear}${text}\n`);
    },
    finish() {
      output.write(`${clear}done in ${elapsed()}\n`);
    },
  };
}
