// A fresh mock upstream for each test, and targets that speak to it.

import { afterEach, beforeEach } from "node:test";
import type { OpenAiEngineConfig, UpstreamConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/engines/clock.ts";
import { createOpenAiTarget } from "../../src/engines/openai/create-openai-target.ts";
import { readUpstreamSettings } from "../../src/engines/read-upstream-settings.ts";
import type { Target } from "../../src/engines/target.ts";
import { type MockUpstream, startMockUpstream } from "./mock-upstream.ts";
import { createTestCall, createTestUpstream, RecordingSink } from "./mock-upstream-caller.ts";

export const KEY = "very-secret.token/0123456789";
export const HELLO = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';
export const streaming = createTestCall({ stream: true });
export const whole = createTestCall();

export const never = (): AbortSignal => new AbortController().signal;

/** Registers the hooks that start and close `upstream` around each test of the file. */
export function useMockUpstream() {
  const targets: Target[] = [];
  let running: MockUpstream | undefined;
  const bed = {
    get upstream(): MockUpstream {
      if (running === undefined) throw new Error("the mock upstream runs only within a test");
      return running;
    },
  };

  beforeEach(async () => {
    running = await startMockUpstream();
  });
  afterEach(async () => {
    await Promise.all(targets.splice(0).map((target) => target.close()));
    await running?.close();
  });

  function createTarget(
    engine: Partial<OpenAiEngineConfig> = {},
    config: Partial<UpstreamConfig> = {},
  ): Target {
    const target = createOpenAiTarget({
      engine: { type: "openai", base_url: bed.upstream.url, api_key: KEY, ...engine },
      modelId: "public-id",
      settings: readUpstreamSettings(createTestUpstream(config)),
      clock: systemClock,
      createId: () => "generated",
    });
    targets.push(target);
    return target;
  }

  async function attempt(target: Target, call = whole, sink = new RecordingSink()) {
    const failure = await target.attempt(call, sink, never());
    return { failure, events: sink.events, text: sink.text };
  }

  return { bed, createTarget, attempt };
}
