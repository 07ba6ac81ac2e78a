// How far a pull is, in few words: `41 % of 308 MiB`.

import type { PullProgress } from "../../weights/weights.ts";

const MIB = 1024 ** 2;

export function describeProgress({ stage, doneBytes, totalBytes }: PullProgress): string {
  const stageWord = stage === "fetching" ? "" : `, ${stage}`;
  if (totalBytes === undefined || totalBytes === 0) {
    return `${Math.round(doneBytes / MIB)} MiB so far${stageWord}`;
  }
  const percent = Math.min(100, Math.floor((100 * doneBytes) / totalBytes));
  return `${percent} % of ${Math.round(totalBytes / MIB)} MiB${stageWord}`;
}
