// The Hearth that the clients talk to, in this process, over a scripted upstream: a small
// model, one that thinks, one that sees, and one that is soon used up.

import { startHearth } from "../support/hearth.ts";
import { type Behaviour, type MockRequest, startMockUpstream } from "../support/mock-upstream.ts";

export const SMALL = "my-haiku";
export const THINKING = "my-sonnet";
export const VISION = "my-vision-sonnet";
/** Two requests a minute and key. */
export const LIMITED = "my-limited-haiku";

export type TestBed = {
  /** Up to and including the version. */
  readonly baseUrl: string;
  /** A key made for all tests to share, or for LIMITED a new one each time. */
  key(model: string): Promise<string>;
  /** How the upstream answers the next requests. */
  script(...behaviours: readonly Behaviour[]): void;
  /** The request that the upstream received last. */
  lastRequest(): MockRequest;
  /** How many requests the upstream has received. */
  requestCount(): number;
  /** Resolves with the next request that reaches the upstream. */
  nextRequest(): Promise<MockRequest>;
  /** Resolves with the time, of performance.now(), at which that request was given up. */
  givenUpAt(request: MockRequest): Promise<number>;
  stop(): Promise<void>;
};

export async function startTestBed(): Promise<TestBed> {
  const upstream = await startMockUpstream();
  const engine = { type: "openai", base_url: upstream.url };
  const limits = { requests: null, tokens: null };
  const hearth = await startHearth({
    // Some libraries hold connections that they never used; no need to wait for those.
    shutdown: { grace: "0s" },
    // Retries are the clients' here, and scripted failures must not take the upstream out.
    upstream: { attempts: 1, breaker_failures: 1000 },
    models: {
      [SMALL]: { engine, limits },
      [THINKING]: {
        engine: { ...engine, replay_reasoning: "reasoning" },
        limits,
        thinking: true,
      },
      [VISION]: { engine, limits, vision: true },
      [LIMITED]: { engine, limits: { requests: 2 } },
    },
  });
  const keys = new Map<string, Promise<string>>();
  return {
    baseUrl: `${hearth.url}/v1`,
    key(model) {
      const key = (model === LIMITED ? undefined : keys.get(model)) ?? hearth.key(model);
      keys.set(model, key);
      return key;
    },
    script: upstream.script,
    lastRequest() {
      const last = upstream.requests.at(-1);
      if (last === undefined) throw new Error("nothing has reached the upstream");
      return last;
    },
    requestCount: () => upstream.requests.length,
    nextRequest: () => upstream.request(upstream.requests.length + 1),
    async givenUpAt(request) {
      for (let n = 1; ; n++) {
        const abort = await upstream.abort(n);
        if (abort.request === request) return abort.closedAt;
      }
    },
    async stop() {
      await hearth.stop();
      await upstream.close();
    },
  };
}
