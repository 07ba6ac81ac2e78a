// What comes over the channel, told apart by its type. The sender is our own parent process, so
// the rest of a command is taken as it is.

import type { WorkerCommand } from "../protocol.ts";

const types = new Set<unknown>(["load", "run", "cancel", "pause", "resume", "ask", "stop"]);

export function readCommand(message: unknown): WorkerCommand | undefined {
  return isCommand(message) ? message : undefined;
}

const isCommand = (message: unknown): message is WorkerCommand =>
  typeof message === "object" && message !== null && "type" in message && types.has(message.type);
