// Reads what an upstream says, one parsed JSON value at a time, and writes events. A stream
// chunk and a whole reply differ only in `delta` or `message`, so one reader serves both.
// Tool calls and the finish are held until the turn ends: only then are they known whole.

import type { CallEvent, EventSink, FinishReason } from "../../call/index.ts";
import type { AttemptFailure } from "../target.ts";
import { finishToolCalls } from "./finish-tool-calls.ts";
import { mapFinishReason } from "./map-finish-reason.ts";
import { brokenReply, type ErrorMapper, unusableReply } from "./map-upstream-error.ts";
import { asArray, asRecord, asText, type JsonRecord } from "./read-json.ts";
import { readUsage } from "./read-usage.ts";
import { ToolCallAssembler } from "./tool-call-assembler.ts";
import { writeThinking } from "./write-thinking.ts";

export type ReplyReaderOptions = {
  readonly sink: EventSink;
  /** The stop strings that were asked for: a met one is reported only if it is one of them. */
  readonly stop: readonly string[];
  /** Most characters of tool-call arguments held. */
  readonly maxHeld: number;
  readonly errors: ErrorMapper;
  /** For the tool calls that come without an id. */
  readonly createId: () => string;
};

export class ReplyReader {
  /** The turn is over: finished, or `failure` says why not. Nothing is read after that. */
  done = false;
  failure: AttemptFailure | undefined;
  /** The sink's reader has fallen behind since this was last cleared. */
  behind = false;
  readonly #options: ReplyReaderOptions;
  readonly #toolCalls = new ToolCallAssembler();
  #sawChoice = false;
  #reason: FinishReason | undefined;
  #stopSequence: string | undefined;

  constructor(options: ReplyReaderOptions) {
    this.#options = options;
  }

  /** The model has ended its turn; only the count of tokens may still come. */
  get turnEnded(): boolean {
    return this.#reason !== undefined;
  }

  readonly write = (event: CallEvent): void => {
    if (!this.#options.sink.write(event)) this.behind = true;
  };

  fail(failure: AttemptFailure): void {
    if (this.done) return;
    this.done = true;
    this.failure = failure;
  }

  read(value: unknown): void {
    if (this.done) return;
    const chunk = asRecord(value);
    if (chunk === undefined) {
      this.fail(brokenReply("sent something that is not a JSON object"));
      return;
    }
    if (chunk.error !== undefined && chunk.error !== null) {
      this.fail(this.#options.errors.fromFrame(chunk.error));
      return;
    }
    const choices = asArray(chunk.choices);
    if (choices !== undefined && choices.length > 0) {
      const choice = asRecord(choices[0]);
      if (choice !== undefined) this.#readChoice(choice);
    }
    // Asked of few chunks only: most carry `usage: null` or nothing.
    if (chunk.usage || chunk.timings || chunk.x_groq || this.#reason !== undefined) {
      const usage = readUsage(chunk);
      if (usage !== undefined) this.write({ type: "usage", usage });
    }
  }

  /** The upstream says that this was all. */
  finish(): void {
    if (this.done) return;
    if (!this.#sawChoice) {
      this.fail(brokenReply("answered without a single choice"));
      return;
    }
    const reason = this.#reason ?? "stop";
    const { createId } = this.#options;
    const events = finishToolCalls(this.#toolCalls.calls, reason, createId);
    if (events === undefined) {
      this.fail(unusableReply("wrote a tool call whose arguments are not a JSON object"));
      return;
    }
    for (const event of events) this.write(event);
    this.done = true;
    this.write(this.#finishEvent(reason, events.length > 0));
  }

  /** The upstream's bytes have ended, whether or not it said so before. */
  end(): void {
    if (this.turnEnded) this.finish();
    else this.fail(brokenReply("ended its reply in the middle"));
  }

  #finishEvent(reason: FinishReason, called: boolean): CallEvent {
    if (reason === "length") return { type: "finish", reason };
    // Some say `stop` after a call, some say `tool_calls` without one.
    if (called) return { type: "finish", reason: "tool_calls" };
    return this.#stopSequence === undefined
      ? { type: "finish", reason: "stop" }
      : { type: "finish", reason: "stop", stopSequence: this.#stopSequence };
  }

  #readChoice(choice: JsonRecord): void {
    if (typeof choice.index === "number" && choice.index !== 0) return;
    this.#sawChoice = true;
    const delta = asRecord(choice.delta);
    const message = asRecord(choice.message);
    if (delta !== undefined) this.#readDelta(delta);
    else if (message !== undefined) this.#readDelta(withCallsNumbered(message));
    const raw = asText(choice.finish_reason);
    if (raw === undefined) return;
    const reason = mapFinishReason(raw);
    if (reason === "failed") {
      this.fail(brokenReply(`gave up on the reply (${raw.slice(0, 40)})`));
      return;
    }
    this.#reason = reason;
    const met = asText(choice.stop_reason) ?? asText(choice.matched_stop);
    if (met !== undefined && this.#options.stop.includes(met)) this.#stopSequence = met;
  }

  #readDelta(delta: JsonRecord): void {
    writeThinking(delta, this.write);
    const { content } = delta;
    if (typeof content === "string") {
      if (content !== "") this.write({ type: "text", text: content });
    } else if (Array.isArray(content)) {
      for (const part of content) {
        const text = asText(asRecord(part)?.text);
        if (text !== undefined) this.write({ type: "text", text });
      }
    }
    const refusal = asText(delta.refusal);
    if (refusal !== undefined) this.write({ type: "text", text: refusal });
    if (delta.tool_calls !== undefined || delta.function_call !== undefined) {
      this.#readToolCalls(delta);
    }
  }

  #readToolCalls(delta: JsonRecord): void {
    for (const piece of asArray(delta.tool_calls) ?? []) this.#toolCalls.add(piece);
    if (asRecord(delta.function_call) !== undefined) {
      this.#toolCalls.add({ index: 0, function: delta.function_call });
    }
    if (this.#toolCalls.size > this.#options.maxHeld) {
      this.fail(brokenReply("wrote tool calls beyond max_reply"));
    }
  }
}

/** The calls of a whole message are told apart by their place, whatever ids they share. */
function withCallsNumbered(message: JsonRecord): JsonRecord {
  const calls = asArray(message.tool_calls);
  if (calls === undefined || calls.length === 0) return message;
  return {
    ...message,
    tool_calls: calls.map((call, index) => ({ ...asRecord(call), index })),
  };
}
