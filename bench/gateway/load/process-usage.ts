// CPU time and memory of another process, all of its threads counted. Linux tells them to the
// nanosecond and by thread; elsewhere `ps` tells the sum in hundredths of a second.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

export type ProcessUsage = {
  readonly cpuSeconds: number;
  readonly mainThreadSeconds: number | null;
  readonly residentBytes: number;
};

const run = promisify(execFile);

export const readUsage = async (pid: number): Promise<ProcessUsage> =>
  process.platform === "linux" ? readFromProc(pid) : readFromPs(pid);

function readFromProc(pid: number): ProcessUsage {
  let cpuSeconds = 0;
  let mainThreadSeconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(
      " ",
    );
    const seconds = Number(nanoseconds) / 1e9;
    cpuSeconds += seconds;
    if (thread === String(pid)) mainThreadSeconds = seconds;
  }
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const residentBytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  return { cpuSeconds, mainThreadSeconds, residentBytes };
}

async function readFromPs(pid: number): Promise<ProcessUsage> {
  const { stdout } = await run("ps", ["-o", "rss=,cputime=", "-p", String(pid)]);
  const [kilobytes = "0", time = "0"] = stdout.trim().split(/\s+/);
  // [[days-]hours:]minutes:seconds
  const cpuSeconds = time.split(/[-:]/).reduce((sum, part, index, parts) => {
    const unit = parts.length === 4 && index === 1 ? 24 : 60;
    return sum * unit + Number(part);
  }, 0);
  return { cpuSeconds, mainThreadSeconds: null, residentBytes: Number(kilobytes) * 1024 };
}

const STEP_MS = 100;
const QUIET_SHARE = 0.03;
const LONGEST_MS = 3000;

/**
 * The usage once the process has come to rest: what it puts off, such as moving a ledger or
 * writing a log, belongs to the requests that caused it.
 */
export async function usageAtRest(pid: number, atLeastMs: number): Promise<ProcessUsage> {
  await pause(atLeastMs);
  let before = await readUsage(pid);
  if (atLeastMs === 0) return before;
  for (let waited = 0; waited < LONGEST_MS; waited += STEP_MS) {
    await pause(STEP_MS);
    const now = await readUsage(pid);
    if (now.cpuSeconds - before.cpuSeconds < (QUIET_SHARE * STEP_MS) / 1000) return now;
    before = now;
  }
  return before;
}
