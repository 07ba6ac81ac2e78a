// The targets that Hearth is built to, and how this run stands against them. A missed target
// is a finding, not a failure of the benchmark.

import { styleText } from "node:util";
import { BURSTS, CROWD_PHASE, JUDGED_CONCURRENCY, requestsPhase } from "./plan.ts";
import { cpuPerChunk, cpuPerReply, p50, residentMegabytes, type Statistics } from "./statistics.ts";
import { show, table } from "./tables.ts";

export type Verdict = {
  readonly what: string;
  readonly target: number;
  readonly isAtMost: boolean;
  readonly unit: string;
  readonly measured: number | undefined;
  readonly met: boolean | undefined;
};

export function judge({ value, ratio, added }: Statistics): Verdict[] {
  const judged = requestsPhase(JUDGED_CONCURRENCY);
  const atMost = (what: string, target: number, unit: string, measured: number | undefined) =>
    verdict(what, target, true, unit, measured);
  return [
    atMost("CPU of a request, everything on", 130, "µs", value(judged, "hearth", cpuPerReply)),
    atMost("… against the bare proxy", 1.6, "×", ratio(judged, "hearth", "bare", cpuPerReply)),
    verdict(
      "Portkey's CPU of a request against Hearth's",
      12,
      false,
      "×",
      ratio(judged, "portkey", "hearth", cpuPerReply),
    ),
    atMost("CPU of a streamed chunk, back to back", 15, "µs", value(BURSTS, "hearth", cpuPerChunk)),
    atMost("added to a lone request, p50", 0.4, "ms", added(requestsPhase(1), "hearth", p50)),
    atMost(
      "memory with 1,000 streams open",
      250,
      "MB",
      value(CROWD_PHASE, "hearth", residentMegabytes),
    ),
  ];
}

function verdict(
  what: string,
  target: number,
  isAtMost: boolean,
  unit: string,
  measured: number | undefined,
): Verdict {
  const met =
    measured === undefined ? undefined : isAtMost ? measured <= target : measured >= target;
  return { what, target, isAtMost, unit, measured, met };
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ what, target, isAtMost, unit, measured, met }) => [
    what,
    met === undefined
      ? "not measured"
      : met
        ? styleText("green", "met         ")
        : styleText("red", "missed      "),
    `${isAtMost ? "≤" : "≥"} ${target} ${unit}`,
    `${show(measured, unit === "MB" ? 0 : unit === "µs" ? 1 : 2)} ${unit}`,
  ]);
  return table(["Target", "", "wanted", "measured"], rows);
}
