// One call's output as a chain of phases: each token the model chose goes in, events and what to
// do next come out. Knows tokens and text; sequences and time are the business of whoever steps it.

import type { Token } from "node-llama-cpp";
import type { Call, CallEvent, Usage } from "../../../call/index.ts";
import type { GenerationPlan, OutputReader, Phase } from "../plan.ts";
import { EndingScanner } from "./ending-scanner.ts";
import { TokenText } from "./token-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

export type GenerationOptions = {
  readonly call: Call;
  readonly plan: GenerationPlan;
  readonly reader: OutputReader;
  readonly vocabulary: Vocabulary;
  /** The prompt, the first phase's opening included. */
  readonly promptTokens: readonly Token[];
  /** Most tokens that may be generated: the caller's cap, or what the context has room for. */
  readonly outputLimit: number;
};

export type GenerationStep = {
  readonly events: readonly CallEvent[];
  readonly next:
    | { readonly type: "step" }
    | { readonly type: "finished" }
    /** Another phase: forget this phase's tokens but the first `keep`, then read `tokens`. */
    | { readonly type: "feed"; readonly keep: number; readonly tokens: readonly Token[] };
};

/** The penalty for repetition looks back so far. */
const rememberedTokens = 64;

export class Generation {
  readonly #options: GenerationOptions;
  readonly #recent: Token[] = [];
  #phaseIndex = 0;
  #phase: Phase;
  #text: TokenText;
  #scanner: EndingScanner;
  /** Text of the phase, and how far it reached after each token. */
  #phaseText = "";
  #reach: number[] = [];
  #promptTokens: number;
  #completionTokens = 0;
  #reasoningTokens = 0;

  constructor(options: GenerationOptions) {
    const [phase] = options.plan.phases;
    if (phase === undefined) throw new Error("a plan has at least one phase");
    this.#options = options;
    this.#phase = phase;
    this.#promptTokens = options.promptTokens.length;
    this.#text = new TokenText(options.vocabulary, options.promptTokens);
    this.#scanner = new EndingScanner(phase.endings);
  }

  get grammar(): string | undefined {
    return this.#phase.grammar;
  }

  /** The tokens generated last, oldest first. */
  get recentTokens(): Token[] {
    return this.#recent;
  }

  begin(): readonly CallEvent[] {
    return this.#options.reader.beginPhase(this.#phase);
  }

  accept(token: Token): GenerationStep {
    const { reader, vocabulary, outputLimit } = this.#options;
    this.#count(token);
    if (vocabulary.endsTurn(token)) {
      const events = this.#flush();
      if (reader.stopped) return this.#finish(events, "ended");
      return this.#endPhase(events, "ended", this.#reach.length, []);
    }
    const text = this.#textOf(token);
    this.#phaseText += text;
    this.#reach.push(this.#phaseText.length);
    const safe = this.#scanner.push(text);
    const events = safe === "" ? [] : [...reader.push(safe)];
    if (reader.stopped) return this.#finish(events, "ended");
    const { endedAt } = this.#scanner;
    if (endedAt !== undefined) return this.#cutAt(endedAt, events);
    if (this.#completionTokens >= outputLimit) {
      return this.#finish([...events, ...this.#flush()], "length");
    }
    if (this.#reach.length < this.#phase.maxTokens) return { events, next: { type: "step" } };
    events.push(...this.#flush());
    return this.#endPhase(events, "length", this.#reach.length, [token]);
  }

  usage(cachedTokens: number, cacheWriteTokens: number): CallEvent {
    const usage: Usage = {
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cachedTokens,
      cacheWriteTokens,
      reasoningTokens: this.#reasoningTokens,
      estimated: false,
    };
    return { type: "usage", usage };
  }

  #count(token: Token): void {
    this.#completionTokens += 1;
    if (this.#phase.kind === "thinking") this.#reasoningTokens += 1;
    this.#recent.push(token);
    if (this.#recent.length > rememberedTokens) this.#recent.shift();
  }

  /** A control token is not output, but it may be what ends the phase. */
  #textOf(token: Token): string {
    const control = this.#options.vocabulary.controlText(token);
    if (control === undefined) return this.#text.push(token);
    const ends = this.#phase.endings.some((ending) => ending.includes(control));
    return this.#text.end() + (ends ? control : "");
  }

  #flush(): CallEvent[] {
    const { reader } = this.#options;
    const text = this.#scanner.push(this.#text.end()) + this.#scanner.end();
    return text === "" ? [] : [...reader.push(text)];
  }

  /**
   * The ending itself is the template's to write, in the opening of what follows: the model's own
   * try at it is forgotten, with what the same token said before it said again.
   */
  #cutAt(endedAt: number, events: readonly CallEvent[]): GenerationStep {
    const keep = this.#reach.findLastIndex((reach) => reach <= endedAt) + 1;
    const rest = this.#phaseText.slice(this.#reach[keep - 1] ?? 0, endedAt);
    return this.#endPhase(events, "ended", keep, [], rest);
  }

  #endPhase(
    events: readonly CallEvent[],
    reason: "ended" | "length",
    keep: number,
    unread: readonly Token[],
    rest = "",
  ): GenerationStep {
    const { plan, vocabulary, reader, outputLimit } = this.#options;
    const phase = plan.phases[this.#phaseIndex + 1];
    if (phase === undefined) return this.#finish(events, reason);
    if (this.#completionTokens >= outputLimit) return this.#finish(events, "length");
    const opening = vocabulary.tokenizeContinuation([
      { text: rest, special: false },
      ...phase.opening,
    ]);
    const tokens = [...unread, ...opening];
    this.#promptTokens += opening.length;
    this.#phaseIndex += 1;
    this.#phase = phase;
    this.#phaseText = "";
    this.#reach = [];
    this.#text = new TokenText(vocabulary, tokens);
    this.#scanner = new EndingScanner(phase.endings);
    const begun = [...events, ...reader.beginPhase(phase)];
    return { events: begun, next: { type: "feed", keep, tokens } };
  }

  #finish(events: readonly CallEvent[], reason: "ended" | "length"): GenerationStep {
    const end = this.#options.reader.end(reason);
    return { events: [...events, ...end.events], next: { type: "finished" } };
  }
}
