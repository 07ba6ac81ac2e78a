// Shows how far a pull is: in a terminal one line that is drawn over, elsewhere a line every
// few seconds, so that a log shows life without drowning in it.

import type { PullProgress } from "../weights/index.ts";
import { drawProgress, writeProgress } from "./progress-line.ts";

export type ProgressOutput = {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
};

export type ProgressBarOptions = {
  readonly label: string;
  readonly output: ProgressOutput;
  /** Milliseconds, of any clock that only goes forward. */
  readonly now: () => number;
};

export interface ProgressBar {
  update(progress: PullProgress): void;
  /** Draws where it stands, and leaves the line to whoever writes next. */
  end(): void;
}

const DRAW_MS = 100;
const LINE_MS = 5_000;
/** Speed is that of the last few seconds: steady enough to read, quick enough to be true. */
const SPEED_MS = 5_000;
const ERASE_REST = "\u001b[K";

type Sample = { readonly at: number; readonly bytes: number };

export function createProgressBar({ label, output, now }: ProgressBarOptions): ProgressBar {
  const inTerminal = output.isTTY === true;
  let samples: Sample[] = [];
  let last: PullProgress | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = true;

  function show(progress: PullProgress): void {
    const line = { label, progress, bytesPerSecond: speedOf(samples) };
    // The last column stays free: some terminals break the line as soon as it is written.
    if (inTerminal)
      output.write(`\r${drawProgress(line, (output.columns ?? 80) - 1)}${ERASE_REST}`);
    else output.write(`${writeProgress(line)}\n`);
    shownAt = now();
    isShown = true;
  }

  return {
    update(progress) {
      const at = now();
      // Bytes that were there before, or that are being read again, are not speed.
      const isNewCount =
        last?.stage !== progress.stage ||
        last.totalBytes !== progress.totalBytes ||
        progress.doneBytes < last.doneBytes;
      const isNewStage = last?.stage !== progress.stage;
      if (isNewCount) samples = [];
      samples = remember(samples, { at, bytes: progress.doneBytes });
      last = progress;
      isShown = false;
      if (isNewStage || at - shownAt >= (inTerminal ? DRAW_MS : LINE_MS)) show(progress);
    },
    end() {
      if (last === undefined) return;
      if (!isShown) show(last);
      if (inTerminal) output.write("\n");
      last = undefined;
    },
  };
}

/** One sample for each drawing is enough: a fast line reports thousands of times a second. */
function remember(samples: readonly Sample[], sample: Sample): Sample[] {
  const newest = samples.at(-1);
  const isDense = samples.length > 1 && newest !== undefined && sample.at - newest.at < DRAW_MS / 2;
  const kept = isDense ? samples.slice(0, -1) : samples;
  return [...kept.filter(({ at }) => sample.at - at <= SPEED_MS), sample];
}

function speedOf(samples: readonly Sample[]): number {
  const [oldest] = samples;
  const newest = samples.at(-1);
  if (oldest === undefined || newest === undefined || newest.at === oldest.at) return 0;
  return ((newest.bytes - oldest.bytes) * 1000) / (newest.at - oldest.at);
}
