// The machine that a run was made on, and how much of it others used meanwhile: CPU time per
// request rises when caches are shared, so numbers of a busy machine are not those of a quiet
// one, and a reader must be able to tell.

import { availableParallelism, cpus } from "node:os";
import { readUsage } from "./load/process-usage.ts";

export interface MachineWatch {
  /** One line: when, what, and the share of the machine that other processes took. */
  describe(): Promise<string>;
}

/** `pids` are the processes of the benchmark besides this one. */
export async function watchMachine(pids: readonly number[]): Promise<MachineWatch> {
  const startedAt = new Date();
  const before = total();
  const ownBefore = await ownSeconds(pids);
  return {
    async describe() {
      const now = total();
      const all = now.all - before.all;
      const own = (await ownSeconds(pids)) - ownBefore;
      const others = all === 0 ? 0 : Math.max(0, (now.busy - before.busy - own) / all);
      return (
        `${startedAt.toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ` +
        `${availableParallelism()} cores (${cpus()[0]?.model.trim()}); ` +
        `other processes took ${Math.round(others * 100)} % of the machine`
      );
    },
  };
}

/** Seconds of all cores since the machine started. */
function total(): { readonly all: number; readonly busy: number } {
  let all = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    all += times.user + times.nice + times.sys + times.idle + times.irq;
    idle += times.idle;
  }
  return { all: all / 1000, busy: (all - idle) / 1000 };
}

async function ownSeconds(pids: readonly number[]): Promise<number> {
  const { user, system } = process.cpuUsage();
  const usages = await Promise.all(pids.map(readUsage));
  return (user + system) / 1e6 + usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
