// Lines are gathered into blocks before they reach the file descriptor: one asynchronous
// write costs more than formatting forty lines. (sonic-boom's own `minLength` gathers too,
// but measures the whole pending text again at every line.) No line waits longer than
// `holdMs`, and keys are struck out here, once a block, whoever wrote the line.

import { writeSync } from "node:fs";
import pino from "pino";
import { redact } from "./redact.ts";

export interface LogDestination {
  write(text: string): void;
}

export interface LogStream extends LogDestination {
  /** Resolves when everything given before is written, or the reader has stood still too long. */
  flush(): Promise<void>;
}

const STANDARD_ERROR = 2;
const BLOCK_LENGTH = 16_000;
const HOLD_MS = 100;
/** Memory that a reader of standard error who stands still may cost; lines beyond are dropped. */
const MOST_PENDING = 8 * 1024 * 1024;
/** What an exit waits for a write that a thread is busy with: nobody can tell when it is done. */
const EXIT_PAUSE_MS = 20;
/** A reader who stands still must not keep the process from its exit. */
const EXIT_TRIES = 5;
const FLUSH_LIMIT_MS = 2_000;

export function toStandardError(): LogStream {
  let triesLeft = Number.POSITIVE_INFINITY;
  // Before pino's own handler, which would try for ever.
  process.on("exit", () => {
    triesLeft = EXIT_TRIES;
    try {
      if (state === "busy") pause(EXIT_PAUSE_MS);
      if (state === "busy" || state === "open") file.flushSync();
      if (state !== "broken") state = "closed";
    } catch {
      state = "broken";
      file.destroy();
    }
    void stream.flush();
  });
  const file = pino.destination({
    dest: STANDARD_ERROR,
    sync: false,
    maxLength: MOST_PENDING,
    retryEAGAIN: () => triesLeft-- > 0,
  });
  let state: "open" | "busy" | "closed" | "broken" = "open";
  let waiting: (() => void)[] = [];
  let refused = false;
  let dropped = 0;

  function turn(next: typeof state): void {
    state = next;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  file.on("drain", () => turn("open"));
  file.on("drop", () => {
    refused = true;
  });
  // A log that cannot be written must not take the service down. A full disk may heal.
  file.on("error", (error: NodeJS.ErrnoException) => {
    turn(error.code === "EPIPE" ? "broken" : "open");
  });
  // pino closes it when the event loop runs dry, which is before the last lines.
  file.on("close", () => turn("closed"));

  function write(block: string): void {
    if (state === "broken") return;
    const text = dropped === 0 ? block : droppedLine(dropped) + block;
    if (state === "closed") {
      writeNow(text);
      return;
    }
    state = "busy";
    refused = false;
    file.write(text);
    dropped = refused ? dropped + block.split("\n").length - 1 : 0;
  }

  const stream = inBlocks({ write }, BLOCK_LENGTH, HOLD_MS);

  return {
    write(line) {
      stream.write(line);
      if (state === "closed") void stream.flush();
    },
    async flush() {
      await stream.flush();
      if (state !== "busy") return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FLUSH_LIMIT_MS);
      waiting.push(resolve);
      await promise;
      clearTimeout(timer);
    },
  };
}

const droppedLine = (lines: number): string =>
  `{"level":"warn","lines":${lines},"msg":"log lines were dropped"}\n`;

/** Standard error may be a pipe that does not block: what it does not take yet is tried again. */
function writeNow(text: string): void {
  let rest = Buffer.from(text);
  for (let refused = 0; rest.length > 0 && refused < EXIT_TRIES * EXIT_TRIES; ) {
    try {
      rest = rest.subarray(writeSync(STANDARD_ERROR, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
      refused++;
      pause(EXIT_PAUSE_MS);
    }
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A `blockLength` of 0 passes every line on at once. */
export function inBlocks(
  destination: LogDestination,
  blockLength: number,
  holdMs: number,
): LogStream {
  let pending = "";
  let timer: NodeJS.Timeout | undefined;

  const pass = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === "") return;
    const block = pending;
    pending = "";
    destination.write(redact(block));
  };

  const write = (line: string): void => {
    pending += line;
    if (pending.length >= blockLength) pass();
    else timer ??= setTimeout(pass, holdMs).unref();
  };

  return { write, flush: async () => pass() };
}
