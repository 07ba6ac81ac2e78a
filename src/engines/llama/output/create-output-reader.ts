// What a local model writes, as events: thinking, text and whole calls. Nothing of a stop string
// or of a mark of the template ever shows, however the text is cut into pieces.

import { randomBytes } from "node:crypto";
import type { Call, CallEvent, FinishReason } from "../../../call/index.ts";
import type { GenerationPlan, OutputReader, Phase } from "../plan.ts";
import { CALL_OPEN, offeredTools } from "../prompt/index.ts";
import { CallReader } from "./call-reader.ts";
import { EdgeTrimmer } from "./edge-trimmer.ts";
import { PatternScanner } from "./pattern-scanner.ts";

export type OutputReaderOptions = { readonly createCallId: () => string };

export function createOutputReader(
  call: Call,
  plan: GenerationPlan,
  options: OutputReaderOptions = { createCallId },
): OutputReader {
  return new PlanOutputReader(call, plan, options);
}

const createCallId = (): string => `tooluse_${randomBytes(17).toString("base64url").slice(0, 22)}`;

class PlanOutputReader implements OutputReader {
  readonly #plan: GenerationPlan;
  readonly #createCallId: () => string;
  readonly #offersCalls: boolean;
  readonly #thinks: boolean;
  #kind: Phase["kind"] = "answer";
  #endings: ReadonlySet<string> = new Set();
  #scanner = new PatternScanner([]);
  #trimmer = new EdgeTrimmer(true);
  #callReader: CallReader | undefined;
  /** The phase met its end: what follows is not output. */
  #over = false;
  #calls = 0;
  #stopSequence: string | undefined;
  #stopped = false;

  constructor(call: Call, plan: GenerationPlan, options: OutputReaderOptions) {
    this.#plan = plan;
    this.#createCallId = options.createCallId;
    this.#offersCalls = offeredTools(call).length > 0;
    this.#thinks = plan.phases.some((phase) => phase.kind === "thinking");
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  beginPhase(phase: Phase): readonly CallEvent[] {
    const events = this.#flush();
    const answers = phase.kind === "answer";
    const watched = answers ? [...phase.endings, ...this.#plan.stop] : [...phase.endings];
    if (answers && this.#offersCalls) watched.push(CALL_OPEN);
    this.#kind = phase.kind;
    this.#endings = new Set(phase.endings);
    this.#scanner = new PatternScanner(watched);
    this.#trimmer = new EdgeTrimmer(answers);
    this.#over = false;
    return events;
  }

  push(text: string): readonly CallEvent[] {
    const events: CallEvent[] = [];
    let rest = text;
    while (rest !== "" && !this.#over) {
      rest =
        this.#callReader === undefined
          ? this.#readText(rest, events)
          : this.#readCall(rest, events);
    }
    return events;
  }

  end(reason: "ended" | "length"): { events: readonly CallEvent[]; reason: FinishReason } {
    const cut = this.#callReader !== undefined && !this.#stopped;
    const events = [...this.#flush(reason === "length")];
    const finish = this.#finishReason(cut ? "length" : reason);
    const stopSequence = this.#stopSequence;
    events.push({
      type: "finish",
      reason: finish,
      ...(stopSequence === undefined ? {} : { stopSequence }),
    });
    return { events, reason: finish };
  }

  #finishReason(reason: "ended" | "length"): FinishReason {
    if (this.#stopped)
      return this.#calls > 0 && this.#stopSequence === undefined ? "tool_calls" : "stop";
    if (reason === "length") return "length";
    return this.#calls > 0 ? "tool_calls" : "stop";
  }

  #readText(text: string, events: CallEvent[]): string {
    const { safe, met, rest } = this.#scanner.push(text);
    this.#emit(safe, events);
    if (met === undefined) return "";
    if (met === CALL_OPEN && this.#offersCalls) {
      this.#callReader = new CallReader();
      return rest;
    }
    this.#over = true;
    if (this.#kind === "answer") {
      this.#stopped = true;
      if (!this.#endings.has(met)) this.#stopSequence = met;
    }
    return "";
  }

  #readCall(text: string, events: CallEvent[]): string {
    const read = this.#callReader?.push(text);
    if (read === undefined) return "";
    this.#callReader = undefined;
    if (read.call !== undefined) {
      this.#calls += 1;
      events.push({ type: "tool_call", id: this.#createCallId(), ...read.call });
    }
    return read.rest;
  }

  /** What was held back. The beginning of a call that the limit cut off is no text. */
  #flush(cut = false): CallEvent[] {
    const events: CallEvent[] = [];
    const held = this.#over || this.#callReader !== undefined ? "" : this.#scanner.end();
    const half = cut && this.#offersCalls && held.length > 1 && CALL_OPEN.startsWith(held);
    if (!half) this.#emit(held, events);
    return events;
  }

  #emit(text: string, events: CallEvent[]): void {
    // Between calls the model writes line breaks, and the grammar lets it write nothing else.
    if (this.#calls > 0) return;
    const untrimmed = this.#kind === "answer" && !this.#thinks;
    const shown = untrimmed ? text : this.#trimmer.push(text);
    if (shown === "") return;
    events.push({ type: this.#kind === "thinking" ? "thinking" : "text", text: shown });
  }
}
