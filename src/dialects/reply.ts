// What a dialect makes of the inner events: frames of a stream as they come, or one body at
// the end. Strings only; whoever holds the connection writes them.

import type { CallEvent, ServiceError, Usage } from "../call/index.ts";

export type ReplyOptions = {
  /** The reply's own id, without prefix. */
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  /** Whether the caller asked to see the thinking. */
  readonly includeReasoning: boolean;
};

export interface StreamRenderer {
  /** The frames that say this event; "" when the dialect says nothing of it yet. */
  event(event: CallEvent): string;
  /** The closing frames, after the engine has finished. */
  end(usage: Usage): string;
  /** The one frame that ends a stream which failed after its first byte. */
  error(error: ServiceError, requestId: string): string;
}

export interface BodyRenderer {
  event(event: CallEvent): void;
  end(usage: Usage): string;
}
