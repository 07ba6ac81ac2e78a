// A model that runs inside, as the pool sees it. It has a supervisor of its own that restarts it
// and rests in between, so it never shows the pool's circuit breaker a failure: while it rests it
// asks to be left alone, and a pool that has others sends its calls to them.

import { ServiceError, serverError } from "../../call/index.ts";
import type { AttemptFailure, Target } from "../target.ts";
import type { LlamaEngine } from "./llama-engine.ts";

export type LlamaTargetOptions = {
  readonly engine: LlamaEngine;
  readonly modelId: string;
  readonly weight: number;
  /** Gives the engine back, which other models may share. */
  readonly release: () => Promise<void>;
};

export function createLlamaTarget(options: LlamaTargetOptions): Target {
  const { engine, modelId, weight, release } = options;
  return {
    name: `local/${modelId}`,
    weight,
    // The engine has the queue: it batches what waits there.
    connections: engine.capacity,
    maxQueue: 0,
    async attempt(call, sink, signal) {
      try {
        await engine.run(call, sink, signal);
        return undefined;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        return toFailure(error);
      }
    },
    probe: async () => true,
    state: () => engine.status()[0]?.state ?? "healthy",
    close: release,
  };
}

function toFailure(error: unknown): AttemptFailure {
  if (!(error instanceof ServiceError)) {
    return { fault: "reply", error: serverError("The engine failed inside", error) };
  }
  if (error.status < 500) return { fault: "caller", error };
  return { fault: error.status === 500 ? "reply" : "busy", error };
}
