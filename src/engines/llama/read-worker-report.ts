// The edge between the two processes: what came over the channel as a report, or nothing. The
// other side is ours and built with this one, so the shape is checked no further than its name
// and its call.

import type { WorkerReport } from "./protocol.ts";

const ABOUT_A_CALL = new Set(["events", "done", "failed"]);
const ABOUT_ITSELF = new Set(["loaded", "load-failed", "alive"]);

export function readWorkerReport(message: unknown): WorkerReport | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
  const { type } = message;
  if (typeof type !== "string") return undefined;
  const hasCall = "id" in message && typeof message.id === "number";
  if (!(ABOUT_ITSELF.has(type) || (ABOUT_A_CALL.has(type) && hasCall))) return undefined;
  return message as WorkerReport;
}
