// Whether the service is alive and whether it wants requests, as plain data for whoever
// answers /livez and /readyz. The states go one way: starting, ready, draining.

export type HealthState = "starting" | "ready" | "draining";

export type HealthAnswer = {
  readonly status: 200 | 503;
  readonly body: { readonly status: string; readonly reasons?: readonly string[] };
};

export interface Health {
  readonly state: HealthState;
  /** Names something the start waits for; the returned function says that it is done. */
  waitFor(reason: string): () => void;
  ready(): void;
  /** For good: a service that drains never turns ready again. */
  drain(reason?: string): void;
  livez(): HealthAnswer;
  readyz(): HealthAnswer;
}

export function createHealth(): Health {
  let state: HealthState = "starting";
  let drainReason = "";
  const waiting = new Set<{ readonly reason: string }>();

  const readyz = (): HealthAnswer => {
    if (state === "ready") return { status: 200, body: { status: "ready" } };
    if (state === "draining") {
      return { status: 503, body: { status: state, reasons: [drainReason] } };
    }
    const reasons = Array.from(waiting, ({ reason }) => reason);
    return {
      status: 503,
      body: { status: state, reasons: reasons.length > 0 ? reasons : ["the service is starting"] },
    };
  };

  return {
    get state() {
      return state;
    },
    waitFor(reason) {
      const wait = { reason };
      waiting.add(wait);
      return () => waiting.delete(wait);
    },
    ready() {
      if (state === "starting") state = "ready";
    },
    drain(reason = "the service is shutting down") {
      state = "draining";
      drainReason = reason;
    },
    livez: () => ({ status: 200, body: { status: "alive" } }),
    readyz,
  };
}
