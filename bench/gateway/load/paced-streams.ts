// So many streams open at once, each getting a chunk now and then, as callers of a model do.
// Measured is a stretch in which all of them run: how late chunks are, what each costs, and
// how much memory the subject holds. The streams then run to their ends and must be whole.

import { setTimeout as pause } from "node:timers/promises";
import { Connection, lateness } from "./connection.ts";
import type { LoadOrder, LoadResult, Paced } from "./orders.ts";
import { readUsage } from "./process-usage.ts";
import { Samples } from "./samples.ts";

const BATCH = 50;
const BATCH_EVERY_MS = 25;
const SETTLE_MS = 300;
const LOOKS = 5;
const PATIENCE_MS = 60_000;

/** How long it takes until all of so many streams are under way. */
export const rampMs = (streams: number): number =>
  Math.ceil(streams / BATCH) * BATCH_EVERY_MS + SETTLE_MS;

export async function runPacedStreams(order: LoadOrder, load: Paced): Promise<LoadResult> {
  const samples = new Samples();
  const whole = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let replies = 0;
  let chunks = 0;
  const connections: Connection[] = [];
  const open = (): void => {
    const connection = new Connection({
      order,
      onReply() {
        replies += 1;
        if (replies === load.concurrency) whole.resolve();
      },
      onChunk(writtenAt) {
        chunks += 1;
        samples.add(lateness(writtenAt));
      },
      onProblem: failed.reject,
    });
    connections.push(connection);
    connection.send();
  };
  const during = async <T>(work: Promise<T>): Promise<T> => Promise.race([work, failed.promise]);

  try {
    while (connections.length < load.concurrency) {
      const batch = Math.min(BATCH, load.concurrency - connections.length);
      for (let opened = 0; opened < batch; opened++) open();
      await during(pause(BATCH_EVERY_MS));
    }
    await during(allStarted(connections));
    await during(pause(SETTLE_MS));

    samples.clear();
    chunks = 0;
    const before = await readUsage(order.pid);
    const ownBefore = process.cpuUsage();
    const start = performance.now();
    let residentBytes = before.residentBytes;
    for (let look = 0; look < LOOKS; look++) {
      await during(pause(load.durationMs / LOOKS));
      residentBytes = Math.max(residentBytes, (await readUsage(order.pid)).residentBytes);
    }
    const after = await readUsage(order.pid);
    const result = {
      chunks,
      seconds: (performance.now() - start) / 1000,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      mainThreadSeconds:
        after.mainThreadSeconds === null || before.mainThreadSeconds === null
          ? null
          : after.mainThreadSeconds - before.mainThreadSeconds,
      residentBytes,
      generatorCpuSeconds: cpuSeconds(process.cpuUsage(ownBefore)),
      ...samples.percentiles(),
    };
    await during(inTime(whole.promise, "streams do not come to their end"));
    return { replies, ...result };
  } finally {
    for (const connection of connections) connection.close();
  }
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

async function allStarted(connections: readonly Connection[]): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (connections.some((connection) => connection.chunks === 0)) {
    if (performance.now() > giveUpAt) throw new Error("some streams never start");
    await pause(20);
  }
}

async function inTime(work: Promise<void>, otherwise: string): Promise<void> {
  const stop = new AbortController();
  const late = pause(PATIENCE_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(otherwise);
  });
  late.catch(() => {});
  await Promise.race([work, late]).finally(() => stop.abort());
}
