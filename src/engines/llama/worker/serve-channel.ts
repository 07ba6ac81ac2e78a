// Ties a worker to the process it lives in: the channel to the parent, and what ends it. Started
// with `fork(main.ts, { serialization: "advanced" })`.

import { systemClock } from "../../clock.ts";
import type { Dialogue } from "./prepare-call.ts";
import { readCommand } from "./read-command.ts";
import { createWorker } from "./worker.ts";

export function serveChannel(dialogue: Dialogue): void {
  // What this process writes is somebody's prompt.
  process.umask(0o077);
  const worker = createWorker({
    dialogue,
    clock: systemClock,
    report: (report) => {
      if (process.connected) process.send?.(report);
    },
    exit: (code) => process.exit(code),
  });
  process.on("message", (message) => {
    const command = readCommand(message);
    if (command !== undefined) worker.take(command);
  });
  // The parent has gone: nobody is left to work for.
  process.on("disconnect", () => worker.take({ type: "stop" }));
  process.on("unhandledRejection", (reason) => {
    if (!worker.stepLost(reason)) throw reason;
  });
}
