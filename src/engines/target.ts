// One place a call can be sent to, as the pool sees it. A try that fails is an answer, not
// an exception: the pool has to know whose fault it was before anybody is told.

import type { Call, EventSink, ServiceError } from "../call/index.ts";
import type { TargetStatus } from "./engine.ts";

/**
 * `caller`: the request itself; no target would take it.
 * `busy`: the target lives, but wants no more now.
 * `reply`: the model wrote something unusable; the target is well.
 * `target`: the target failed, and is taken out when it goes on failing.
 */
export type Fault = "caller" | "busy" | "reply" | "target";

export type AttemptFailure = { readonly fault: Fault; readonly error: ServiceError };

export interface Target {
  readonly name: string;
  /** Its share of the calls, relative to the other targets. */
  readonly weight: number;
  /** Most calls it takes at once; more wait in the pool. */
  readonly connections: number;
  /** Most that wait there; default: `upstream.max_queue`. */
  readonly maxQueue?: number;
  /** One try. Rejects only with `signal.reason`. */
  attempt(call: Call, sink: EventSink, signal: AbortSignal): Promise<AttemptFailure | undefined>;
  /** Whether it answers at all. Never rejects. */
  probe(): Promise<boolean>;
  /** How it is, where it knows better than the pool can tell from failed tries. */
  state?(): TargetStatus["state"];
  close(): Promise<void>;
}
