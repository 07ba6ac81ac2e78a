import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PullProgress } from "../weights/index.ts";
import { createProgressBar } from "./progress-bar.ts";
import { drawProgress, writeProgress } from "./progress-line.ts";

const MEGABYTE = 1_000_000;

const at = (done: number, total?: number, stage: PullProgress["stage"] = "fetching") => ({
  stage,
  doneBytes: done * MEGABYTE,
  totalBytes: total === undefined ? undefined : total * MEGABYTE,
});

const line = (progress: PullProgress, bytesPerSecond = 12.4 * MEGABYTE) => ({
  label: "TinyLlama-1.1B-Chat",
  progress,
  bytesPerSecond,
});

/** A terminal, or a pipe, that remembers; its clock stands until it is moved. */
function stage(output: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  let now = 0;
  const bar = createProgressBar({
    label: "tiny",
    output: { ...output, write: (text) => written.push(text) },
    now: () => now,
  });
  return {
    written,
    end: bar.end,
    after(milliseconds: number, progress: PullProgress) {
      now += milliseconds;
      bar.update(progress);
    },
  };
}

describe("a line of progress", () => {
  for (const [columns, expected] of [
    [120, "TinyLlama-1.1B-Chat [██████████████░░░░░░░░░░] 61%  197 / 322 MB  12.4 MB/s  11 s left"],
    [80, "TinyLlama-1.1B-Chat [███████████░░░░░░░] 61%  197 / 322 MB  12.4 MB/s  11 s left"],
    [70, "TinyLlama-1.1B-C… [██████░░░░] 61%  197 / 322 MB  12.4 MB/s  11 s left"],
    [60, "TinyLlama-1.1B-Ch… [██████░░░░] 61%  197 / 322 MB  12.4 MB/s"],
    [40, "TinyLlam… [██████░░░░] 61%  197 / 322 MB"],
    [30, "TinyLlama-1.… [██████░░░░] 61%"],
    [10, "61%"],
  ] as const) {
    it(`fits a terminal of ${columns} columns`, () => {
      const drawn = drawProgress(line(at(197, 322)), columns);
      assert.equal(drawn, expected);
      assert.ok(drawn.length <= columns);
    });
  }

  for (const [what, given, expected] of [
    ["no size known", line(at(197)), "TinyLlama-1.1B-Chat 197 MB  12.4 MB/s"],
    [
      "no speed known",
      line(at(0, 322), 0),
      "TinyLlama-1.1B-Chat [░░░░░░░░░░░░░░░░░░░░░░░░] 0%  0 / 322 MB",
    ],
    [
      "gigabytes and hours",
      line(at(500, 40_000), 2 * MEGABYTE),
      "TinyLlama-1.1B-Chat [░░░░░░░░░░░░░░░░░░░░░░░░] 1%  0.50 / 40.00 GB  2.0 MB/s  5 h 30 min left",
    ],
    [
      "a slow line",
      line(at(1, 2), 8_000),
      "TinyLlama-1.1B-Chat [████████████░░░░░░░░░░░░] 50%  1 / 2 MB  8 kB/s  3 min left",
    ],
    [
      "another stage, at its end",
      line(at(322, 322, "joining"), 0),
      "TinyLlama-1.1B-Chat joining [████████████████████████] 100%  322 / 322 MB",
    ],
  ] as const) {
    it(`shows ${what}`, () => {
      assert.equal(drawProgress(given, 120), expected);
    });
  }

  it("leaves nothing out in a log", () => {
    assert.equal(
      writeProgress(line(at(197, 322))),
      "TinyLlama-1.1B-Chat: fetching 61%, 197 / 322 MB, 12.4 MB/s, 11 s left",
    );
  });
});

describe("the progress bar", () => {
  it("draws over its line in a terminal, at most ten times a second", () => {
    const { written, after, end } = stage({ isTTY: true, columns: 60 });
    after(0, at(0, 10));
    for (let step = 1; step <= 10; step += 1) after(25, at(step, 10));
    end();
    assert.deepEqual(written, [
      "\rtiny [░░░░░░░░░░░░░░░░░░░░░░░░] 0%  0 / 10 MB\u001b[K",
      "\rtiny [██████░░░░░░░░░░] 40%  4 / 10 MB  40.0 MB/s  1 s left\u001b[K",
      "\rtiny [████████████░░░░] 80%  8 / 10 MB  40.0 MB/s  1 s left\u001b[K",
      "\rtiny [████████████████████████] 100%  10 / 10 MB  40.0 MB/s\u001b[K",
      "\n",
    ]);
  });

  it("writes a line every five seconds elsewhere, and the last state", () => {
    const { written, after, end } = stage({});
    after(0, at(0, 100));
    for (let second = 1; second <= 12; second += 1) after(1000, at(second, 100));
    end();
    assert.deepEqual(written, [
      "tiny: fetching 0%, 0 / 100 MB\n",
      "tiny: fetching 5%, 5 / 100 MB, 1.0 MB/s, 2 min left\n",
      "tiny: fetching 10%, 10 / 100 MB, 1.0 MB/s, 2 min left\n",
      "tiny: fetching 12%, 12 / 100 MB, 1.0 MB/s, 88 s left\n",
    ]);
  });

  it("tells a new stage at once", () => {
    const { written, after } = stage({});
    after(0, at(100, 100));
    after(10, at(1, 100, "joining"));
    assert.equal(written.at(-1), "tiny: joining 1%, 1 / 100 MB\n");
  });

  it("does not count as speed what was there before", () => {
    const { written, after } = stage({});
    after(0, at(0));
    after(100, at(900, 1000));
    after(5_000, at(910, 1000));
    assert.equal(written.at(-1), "tiny: fetching 91%, 0.91 / 1.00 GB, 2.0 MB/s, 45 s left\n");
  });

  it("shows the speed of the last seconds, not of the whole", () => {
    const { written, after } = stage({});
    after(0, at(0, 1000));
    for (let second = 1; second <= 10; second += 1) after(1000, at(second * 50, 1000));
    for (let second = 1; second <= 10; second += 1) after(1000, at(500 + second, 1000));
    assert.match(written.at(-1) ?? "", /, 1\.0 MB\/s, /);
  });

  it("writes nothing where nothing was done", () => {
    const { written, end } = stage({ isTTY: true });
    end();
    assert.deepEqual(written, []);
  });
});
