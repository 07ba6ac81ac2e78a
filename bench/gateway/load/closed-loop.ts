// So many connections, each sending its next request as soon as the last one is answered.
// Connections are opened and used a few times before the clock starts; what is on its way
// when it stops is waited for, so that every request counted was paid for in full.

import { Connection } from "./connection.ts";
import type { ClosedLoop, LoadOrder, LoadResult } from "./orders.ts";
import { readUsage, usageAtRest } from "./process-usage.ts";
import { Samples } from "./samples.ts";

const TRIAL_REPLIES = 3;
const PATIENCE_MS = 30_000;

export async function runClosedLoop(order: LoadOrder, load: ClosedLoop): Promise<LoadResult> {
  const samples = new Samples();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let phase = Promise.withResolvers<void>();
  let running = 0;
  let replies = 0;
  let goesOn = (): boolean => replies < TRIAL_REPLIES * load.concurrency;

  const connections = Array.from(
    { length: load.concurrency },
    () =>
      new Connection({
        order,
        onReply(connection) {
          samples.add(performance.now() - connection.sentAt);
          replies += 1;
          if (goesOn()) connection.send();
          else {
            running -= 1;
            if (running === 0) phase.resolve();
          }
        },
        onProblem: failed.reject,
      }),
  );
  const drive = async (durationMs: number): Promise<void> => {
    phase = Promise.withResolvers();
    running = connections.length;
    for (const connection of connections) connection.send();
    const late = setTimeout(
      () => failed.reject(new Error("the subject does not answer")),
      durationMs + PATIENCE_MS,
    );
    await Promise.race([phase.promise, failed.promise]).finally(() => clearTimeout(late));
  };

  try {
    await drive(0);
    samples.clear();
    replies = 0;
    const before = await readUsage(order.pid);
    const ownBefore = process.cpuUsage();
    const start = performance.now();
    goesOn = () => performance.now() - start < load.durationMs;
    await drive(load.durationMs);
    const seconds = (performance.now() - start) / 1000;
    const own = process.cpuUsage(ownBefore);
    const after = await usageAtRest(order.pid, load.restMs);
    return {
      replies,
      chunks: replies * load.chunks,
      seconds,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      mainThreadSeconds:
        after.mainThreadSeconds === null || before.mainThreadSeconds === null
          ? null
          : after.mainThreadSeconds - before.mainThreadSeconds,
      residentBytes: after.residentBytes,
      generatorCpuSeconds: (own.user + own.system) / 1e6,
      ...samples.percentiles(),
    };
  } finally {
    for (const connection of connections) connection.close();
  }
}
