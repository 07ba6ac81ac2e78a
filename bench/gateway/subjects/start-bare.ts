// The bare proxy, and no proxy at all: what every other subject is compared with.

import { type Program, startProgram } from "../program.ts";
import { PUBLIC_MODEL, UPSTREAM_MODEL } from "../wire.ts";
import type { Subject } from "./subject.ts";

/** Calls that go straight to the upstream. */
export const directSubject = ({ pid, port }: Program): Subject => ({
  name: "direct",
  pid,
  port,
  headers: {},
  model: UPSTREAM_MODEL,
  stop: () => Promise.resolve(),
});

export async function startBare(upstreamPort: number): Promise<Subject> {
  const file = new URL("../bare-proxy.ts", import.meta.url);
  const { pid, port, stop } = await startProgram(file, [String(upstreamPort)]);
  return { name: "bare", pid, port, headers: {}, model: PUBLIC_MODEL, stop };
}
