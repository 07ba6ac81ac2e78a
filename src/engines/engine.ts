// What every engine is to the rest of the house: a call goes in, events come out.

import type { Call, EventSink } from "../call/index.ts";

export type TargetStatus = {
  readonly name: string;
  /** `open`: taken out after failures. `probing`: one request decides whether it comes back. */
  readonly state: "healthy" | "open" | "probing";
  readonly inFlight: number;
};

export interface ChatEngine {
  /**
   * Runs one call. Resolves after the `finish` event; rejects with a ServiceError. When
   * `signal` aborts, the work stops at once and the promise rejects with `signal.reason`.
   */
  run(call: Call, sink: EventSink, signal: AbortSignal): Promise<void>;
  status(): readonly TargetStatus[];
  close(): Promise<void>;
}
