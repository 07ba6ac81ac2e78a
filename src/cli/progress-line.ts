// Progress in words: one line that fits the terminal it is for. What does not fit leaves in
// the order in which it is least missed.

import type { PullProgress } from "../weights/index.ts";

export type ProgressLine = {
  readonly label: string;
  readonly progress: PullProgress;
  /** Zero while it is not known. */
  readonly bytesPerSecond: number;
};

const MOST_BAR = 24;
const LEAST_BAR = 10;
const LEAST_LABEL = 8;
const GIGABYTE = 1e9;
const MEGABYTE = 1e6;

/** For a terminal of so many columns. */
export function drawProgress(line: ProgressLine, columns: number): string {
  const { label, progress } = line;
  const title = progress.stage === "fetching" ? label : `${label} ${progress.stage}`;
  const facts = describe(line);
  const share = shareDone(progress);
  const barLeast = share === undefined ? 0 : LEAST_BAR + 3;
  const needed = (): number =>
    Math.min(title.length, LEAST_LABEL) + barLeast + 1 + facts.join("  ").length;
  while (facts.length > 1 && needed() > columns) facts.pop();
  const text = facts.join("  ");
  if (needed() > columns) return text.slice(0, columns);
  const room = columns - text.length - 1;
  if (share === undefined) return `${shorten(title, room)} ${text}`;
  const width = Math.max(LEAST_BAR, Math.min(MOST_BAR, room - title.length - 3));
  return `${shorten(title, room - width - 3)} [${bar(share, width)}] ${text}`;
}

/** For a log: nothing is left out. */
export function writeProgress(line: ProgressLine): string {
  const [first, ...others] = describe(line);
  return `${line.label}: ${line.progress.stage} ${first}${others.map((fact) => `, ${fact}`).join("")}`;
}

function describe({ progress, bytesPerSecond }: ProgressLine): string[] {
  const { doneBytes, totalBytes } = progress;
  const share = shareDone(progress);
  const facts = share === undefined ? [] : [`${Math.floor(share * 100)}%`];
  facts.push(amounts(doneBytes, totalBytes));
  if (bytesPerSecond > 0) {
    facts.push(speed(bytesPerSecond));
    if (totalBytes !== undefined && totalBytes > doneBytes) {
      facts.push(`${duration((totalBytes - doneBytes) / bytesPerSecond)} left`);
    }
  }
  return facts;
}

function shareDone({ doneBytes, totalBytes }: PullProgress): number | undefined {
  if (totalBytes === undefined || totalBytes === 0) return undefined;
  return Math.min(1, doneBytes / totalBytes);
}

function bar(share: number, width: number): string {
  const full = Math.floor(share * width);
  return "█".repeat(full) + "░".repeat(width - full);
}

const shorten = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, Math.max(room - 1, 0))}…`;

function amounts(done: number, total: number | undefined): string {
  const large = (total ?? done) >= GIGABYTE;
  const show = (bytes: number): string =>
    large ? (bytes / GIGABYTE).toFixed(2) : `${Math.floor(bytes / MEGABYTE)}`;
  const unit = large ? "GB" : "MB";
  return total === undefined ? `${show(done)} ${unit}` : `${show(done)} / ${show(total)} ${unit}`;
}

const speed = (bytes: number): string =>
  bytes >= MEGABYTE ? `${(bytes / MEGABYTE).toFixed(1)} MB/s` : `${Math.ceil(bytes / 1e3)} kB/s`;

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
