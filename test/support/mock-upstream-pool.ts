// A pool over mock targets, with its clock and dice in the hands of the test.

import assert from "node:assert/strict";
import { type Call, ServiceError } from "../../src/call/index.ts";
import type { UpstreamConfig } from "../../src/config/index.ts";
import { createPool } from "../../src/engines/pool/create-pool.ts";
import { readUpstreamSettings } from "../../src/engines/read-upstream-settings.ts";
import {
  createTestCall,
  createTestUpstream,
  ManualClock,
  RecordingSink,
} from "./mock-upstream-caller.ts";
import type { MockTarget } from "./mock-upstream-target.ts";

export const CALL = createTestCall();
const never = (): AbortSignal => new AbortController().signal;

export function createTestPool(
  targets: readonly MockTarget[],
  config: Partial<UpstreamConfig> = {},
) {
  const clock = new ManualClock();
  const retries: string[] = [];
  const transitions: string[] = [];
  const dice = { value: 0.5 };
  const pool = createPool({
    targets,
    settings: readUpstreamSettings(createTestUpstream(config)),
    clock,
    random: () => dice.value,
    hooks: {
      onRetry: (target, kind) => retries.push(`${kind} ${target}`),
      onTransition: (target, state) => transitions.push(`${target} ${state}`),
    },
  });
  const run = (call: Call = CALL, sink = new RecordingSink(), signal = never()) =>
    pool.run(call, sink, signal);
  /** The error of a call that must fail. */
  const refused = async (call?: Call): Promise<ServiceError> => {
    const error = await run(call).then(
      () => assert.fail("the call was answered"),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ServiceError);
    return error;
  };
  /** Runs, and lets every pause pass. Answers how long each was. */
  const runThroughPauses = async (): Promise<{ pauses: number[]; error: unknown }> => {
    const pauses: number[] = [];
    let over = false;
    let error: unknown;
    const running = run()
      .catch((reason: unknown) => {
        error = reason;
      })
      .finally(() => {
        over = true;
      });
    while (!over) {
      await new Promise(setImmediate);
      const [next] = clock.pending;
      if (over || next === undefined) continue;
      pauses.push(next);
      clock.advance(next);
    }
    await running;
    return { pauses, error };
  };
  return { pool, clock, dice, retries, transitions, run, refused, runThroughPauses };
}
