// The one way to an engine. Every inference, whatever dialect or agent asks for it, is
// admitted against the key's limits here, metered while it runs, settled with what it really
// used, and written to the ledger before its caller sees the end of it.

import {
  type Call,
  type CallEvent,
  type EventSink,
  type FinishReason,
  ServiceError,
  type Usage,
} from "../call/index.ts";
import type { Model } from "../catalog/index.ts";
import type { ChatEngine } from "../engines/index.ts";
import type { Admission, Reservation, Resource, Standing } from "../gate/index.ts";
import type { Metrics, RequestTrace, RouteMeter, TracedInference } from "../ops/index.ts";
import type { LedgerEntry } from "../store/index.ts";
import type { Bookings } from "./bookings.ts";
import { createEntryIds } from "./entry-id.ts";
import { estimateUsage, type Prompt, tokensToReserve } from "./estimate-tokens.ts";

export type Inference = {
  readonly call: Call;
  readonly model: Model;
  readonly resource: Resource;
  readonly route: string;
  readonly prompt: Prompt;
  readonly trace?: RequestTrace | undefined;
};

export type InferenceResult = {
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  /** Milliseconds from handing the call to the engine to its last event. */
  readonly engineMs: number;
  /** Milliseconds to the first event that says something; absent when none did. */
  readonly ttftMs: number | undefined;
};

export interface AdmittedInference {
  readonly standing: Standing;
  /** Runs it once. Whatever happens, the reservation is settled and the ledger written. */
  run(sink: EventSink, signal: AbortSignal): Promise<InferenceResult>;
}

export interface Door {
  /** Rejects with 429, or 400 for a request that alone exceeds the limit. */
  admit(inference: Inference): Promise<AdmittedInference>;
}

export type DoorOptions = {
  readonly admission: Admission;
  readonly engines: ReadonlyMap<string, ChatEngine>;
  readonly bookings: Bookings;
  readonly metrics: Metrics;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export function createDoor(options: DoorOptions): Door {
  const nextEntryId = createEntryIds(options.now);
  return {
    async admit(inference) {
      const { call, model, resource, route, prompt } = inference;
      const meter = options.metrics.meter(route, model.id);
      const engine = options.engines.get(model.id);
      if (engine === undefined) {
        throw new ServiceError({
          status: 503,
          type: "overloaded_error",
          message: `${model.id} has no engine here; the operator can add one in hearth.json`,
        });
      }
      const reservation = await options.admission.admit({
        resource,
        model,
        reserveTokens: tokensToReserve(prompt, call),
        observer: meter,
      });
      const admitted = {
        inference,
        reservation,
        engine,
        meter,
        at: options.now(),
        entryId: nextEntryId(),
      };
      return {
        standing: reservation.standing,
        run: (sink, signal) => run(options, admitted, sink, signal),
      };
    },
  };
}

type Admitted = {
  readonly inference: Inference;
  readonly reservation: Reservation;
  readonly engine: ChatEngine;
  readonly meter: RouteMeter;
  readonly at: number;
  readonly entryId: string;
};

async function run(
  options: DoorOptions,
  admitted: Admitted,
  sink: EventSink,
  signal: AbortSignal,
): Promise<InferenceResult> {
  const metered = new MeteredSink(sink, admitted.meter);
  const { inference, engine } = admitted;
  const trace = inference.trace?.inference(describe(inference));
  const call = trace === undefined ? inference.call : withTrace(inference.call, trace.traceparent);
  const end = async (outcome: LedgerEntry["outcome"], status: number, errorType?: string) => {
    const result = await settle(options, admitted, metered, outcome, status);
    trace?.end({ ...result, errorType });
    return result;
  };
  try {
    await engine.run(call, metered, signal);
  } catch (error) {
    if (signal.aborted) await end("aborted", 499, "aborted");
    else if (error instanceof ServiceError) await end("error", error.status, error.type);
    else await end("error", 500, "server_error");
    throw error;
  }
  return await end("ok", 200);
}

const withTrace = (call: Call, traceparent: string): Call => ({ ...call, traceparent });

const describe = ({ call, model }: Inference): TracedInference => ({
  provider: model.engines[0]?.type ?? "none",
  model: model.id,
  maxOutputTokens: call.maxOutputTokens,
  temperature: call.sampling.temperature,
  topP: call.sampling.topP,
  stream: call.stream,
});

async function settle(
  options: DoorOptions,
  admitted: Admitted,
  metered: MeteredSink,
  outcome: LedgerEntry["outcome"],
  status: number,
): Promise<InferenceResult> {
  const engineMs = performance.now() - metered.startedAt;
  const usage =
    metered.usage ?? estimate(outcome, admitted.inference.prompt, metered.outputCharacters);
  const finishReason = metered.finishReason ?? "stop";
  admitted.reservation.settle(usage.promptTokens + usage.completionTokens);
  const entry = toEntry(admitted, usage, { outcome, status, durationMs: engineMs });
  admitted.meter.used(usage);
  await options.bookings.book(entry);
  return { usage, finishReason, engineMs, ttftMs: metered.ttftMs };
}

/** A call that failed before it said anything has used nothing. */
function estimate(
  outcome: LedgerEntry["outcome"],
  prompt: Prompt,
  outputCharacters: number,
): Usage {
  if (outcome === "error" && outputCharacters === 0) {
    return { promptTokens: 0, completionTokens: 0, estimated: true };
  }
  return estimateUsage(prompt, outputCharacters);
}

function toEntry(
  { inference, at, entryId }: Admitted,
  usage: Usage,
  end: Pick<LedgerEntry, "outcome" | "status" | "durationMs">,
): LedgerEntry {
  return {
    id: entryId,
    requestId: inference.call.id,
    at,
    resourceId: inference.resource.id,
    model: inference.model.id,
    route: inference.route,
    status: end.status,
    outcome: end.outcome,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    cachedTokens: usage.cachedTokens ?? 0,
    reasoningTokens: usage.reasoningTokens ?? 0,
    estimated: usage.estimated,
    durationMs: end.durationMs,
  };
}

class MeteredSink implements EventSink {
  readonly startedAt: number = performance.now();
  readonly #sink: EventSink;
  readonly #meter: RouteMeter;
  #lastAt = 0;
  ttftMs: number | undefined;
  outputCharacters = 0;
  usage: Usage | undefined;
  finishReason: FinishReason | undefined;

  constructor(sink: EventSink, meter: RouteMeter) {
    this.#sink = sink;
    this.#meter = meter;
  }

  write(event: CallEvent): boolean {
    switch (event.type) {
      case "text":
      case "thinking":
        this.outputCharacters += event.text.length;
        this.#tick();
        break;
      case "tool_call":
        this.outputCharacters += event.name.length + event.arguments.length;
        this.#tick();
        break;
      case "usage":
        this.usage = event.usage;
        break;
      case "finish":
        this.finishReason = event.reason;
        break;
    }
    return this.#sink.write(event);
  }

  drained(): Promise<void> {
    return this.#sink.drained();
  }

  #tick(): void {
    const now = performance.now();
    if (this.ttftMs === undefined) {
      this.ttftMs = now - this.startedAt;
      this.#meter.firstToken(this.ttftMs / 1000);
    } else this.#meter.gap((now - this.#lastAt) / 1000);
    this.#lastAt = now;
  }
}
