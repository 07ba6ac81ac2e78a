// The results as tables for a terminal.

import { styleText } from "node:util";
import type { Phase } from "./plan.ts";
import {
  backgroundPerReply,
  chunksPerSecond,
  cpuPerChunk,
  cpuPerReply,
  p50,
  p99,
  repliesPerSecond,
  residentMegabytes,
  type Statistics,
} from "./statistics.ts";

export type TableInput = {
  readonly statistics: Statistics;
  readonly phases: readonly Phase[];
  readonly subjects: readonly string[];
};

export function resultTables({ statistics, phases, subjects }: TableInput): string {
  const requests = phases.filter(({ load }) => load.type === "requests");
  const { value, ratio, added } = statistics;
  const proxies = (subject: string, shown: () => string): string =>
    subject === "direct" ? "" : shown();

  const requestRows = requests.flatMap(({ name, load }) =>
    subjects.map((subject, index) => [
      index === 0 ? `${load.concurrency}` : "",
      subject,
      show(value(name, subject, cpuPerReply), 1),
      proxies(subject, () => show(value(name, subject, backgroundPerReply), 1)),
      proxies(subject, () => show(ratio(name, subject, "bare", cpuPerReply), 2)),
      show(value(name, subject, repliesPerSecond), 0),
      show(value(name, subject, p50), 2),
      proxies(subject, () => show(added(name, subject, p50), 2)),
      show(value(name, subject, p99), 2),
      proxies(subject, () => show(added(name, subject, p99), 2)),
    ]),
  );
  const streams = phases.filter(({ load }) => load.type !== "requests");
  const streamRows = streams.flatMap(({ name, title, load }) => {
    const late = load.type === "paced";
    const measured = subjects.filter((subject) => value(name, subject, p50) !== undefined);
    return measured.map((subject, index) => [
      index === 0 ? title : "",
      subject,
      show(value(name, subject, cpuPerChunk), 1),
      proxies(subject, () => show(ratio(name, subject, "bare", cpuPerChunk), 2)),
      show(value(name, subject, chunksPerSecond), 0),
      late ? show(value(name, subject, p50), 2) : "",
      late ? proxies(subject, () => show(added(name, subject, p50), 2)) : "",
      late ? show(value(name, subject, p99), 2) : "",
      late ? proxies(subject, () => show(added(name, subject, p99), 2)) : "",
      show(value(name, subject, residentMegabytes), 0),
    ]);
  });
  return [
    "Requests that are not streamed; times in ms, CPU in µs",
    table(
      ["at once", "", "CPU/req", "backgr.", "× bare", "req/s", "p50", "added", "p99", "added"],
      requestRows,
    ),
    "",
    "Streams; p50 and p99: how late a chunk arrives, in ms",
    table(
      ["", "", "CPU/chunk", "× bare", "chunks/s", "p50", "added", "p99", "added", "MB"],
      streamRows,
    ),
  ].join("\n");
}

export const show = (value: number | undefined, digits: number): string =>
  value === undefined
    ? "–"
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Columns of words to the left, columns of numbers to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words = 2,
): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < words ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  return [styleText("dim", line(head)), ...rows.map(line)].join("\n");
}
