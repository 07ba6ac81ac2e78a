// One call on one slot: the prompt is read in chunks, then the model is asked for one token at a
// time. Every method does one bounded piece of work, so that whoever schedules can stop between.

import { randomInt } from "node:crypto";
import type { LlamaContextSequence, SequenceEvaluateOptions, Token } from "node-llama-cpp";
import { type Call, type CallEvent, serverError } from "../../../call/index.ts";
import type { Clock } from "../../clock.ts";
import type { Generation } from "./generation.ts";
import type { Grammars } from "./grammars.ts";
import type { KeptPrefix, PrefixCache } from "./prefix-cache.ts";
import type { Slot } from "./slot.ts";

export type PreparedCall = {
  readonly id: number;
  readonly call: Call;
  readonly generation: Generation;
  readonly promptTokens: readonly Token[];
  /** Leading tokens of the prompt whose state may be kept; empty: none. */
  readonly prefix: readonly Token[];
};

export type RunOptions = {
  readonly slot: Slot;
  readonly cache: PrefixCache;
  readonly grammars: Grammars;
  readonly repeatPenalty: number;
  readonly clock: Clock;
};

export type RunStep = { readonly events: readonly CallEvent[]; readonly finished: boolean };

type Tokens = ReturnType<LlamaContextSequence["evaluate"]>;

/** Beyond so many candidates none is ever chosen, and sorting them all costs more than the rest. */
const defaultTopK = 40;

export class Run {
  readonly prepared: PreparedCall;
  readonly slot: Slot;
  readonly #options: RunOptions;
  readonly startedAt: number;
  paused = false;
  cancelled = false;
  /** Tokens that the model has still to read before it writes. */
  #unread: readonly Token[];
  #phaseStart = 0;
  #tokens: Tokens | undefined;
  #cachedTokens = 0;
  #cacheWriteTokens = 0;

  constructor(prepared: PreparedCall, options: RunOptions) {
    this.prepared = prepared;
    this.slot = options.slot;
    this.#options = options;
    this.startedAt = options.clock.now();
    this.#unread = prepared.promptTokens;
  }

  /** More is to be read than the one token that the first step reads itself. */
  get reads(): boolean {
    return this.#unread.length > 1;
  }

  /** Puts the kept prefix into the slot, or empties it. */
  async enter(kept: KeptPrefix | undefined): Promise<void> {
    const { promptTokens, prefix } = this.prepared;
    const { cache } = this.#options;
    const restored = kept !== undefined && (await this.slot.restore(kept));
    if (prefix.length > 0) cache.count(restored ? "hit" : "miss");
    if (restored) {
      this.#cachedTokens = prefix.length;
      this.#unread = promptTokens.slice(prefix.length);
    } else {
      await this.slot.clear();
    }
  }

  /** How many tokens can be read at once, with room for so many: no chunk crosses the prefix's end. */
  nextChunk(room: number): number {
    const toPrefixEnd = this.#toPrefixEnd();
    const bound = toPrefixEnd > 0 ? Math.min(room, toPrefixEnd) : room;
    return Math.min(bound, this.#unread.length - 1);
  }

  async read(count: number): Promise<void> {
    const { call, prefix } = this.prepared;
    const endsPrefix = count === this.#toPrefixEnd();
    const chunk = this.#unread.slice(0, count);
    await this.slot.sequence.evaluateWithoutGeneratingNewTokens(chunk);
    this.#unread = this.#unread.slice(count);
    if (!endsPrefix) return;
    await this.slot.keep(call.caller, prefix);
    if (this.slot.held !== undefined) this.#cacheWriteTokens = prefix.length;
  }

  /** Asks the model for one token. */
  async step(): Promise<RunStep> {
    this.#tokens ??= await this.#startPhase();
    const { value, done } = await this.#tokens.next();
    if (done === true || value === undefined) throw serverError("the model chose no token");
    const { generation } = this.prepared;
    const { events, next } = generation.accept(value);
    if (next.type === "feed") await this.#feed(next.keep, next.tokens);
    if (next.type !== "finished") return { events, finished: false };
    return { events: [...events, this.usage()], finished: true };
  }

  usage(): CallEvent {
    return this.prepared.generation.usage(this.#cachedTokens, this.#cacheWriteTokens);
  }

  async close(): Promise<void> {
    await this.#tokens?.return();
    await this.slot.release();
  }

  #toPrefixEnd(): number {
    return this.prepared.prefix.length - this.slot.sequence.nextTokenIndex;
  }

  async #startPhase(): Promise<Tokens> {
    const { sequence } = this.slot;
    this.#phaseStart = sequence.nextTokenIndex + this.#unread.length;
    const tokens = sequence.evaluate([...this.#unread], await this.#sampling());
    this.#unread = [];
    return tokens;
  }

  /** Goes back to the first tokens of the phase that ends, and has the next one's opening read. */
  async #feed(keep: number, tokens: readonly Token[]): Promise<void> {
    const { sequence } = this.slot;
    await this.#tokens?.return();
    this.#tokens = undefined;
    // With nothing to read there would be nothing to go on from: the last token is read again.
    const again = tokens.length === 0 ? sequence.contextTokens.slice(-1) : [];
    const start = Math.min(this.#phaseStart + keep, sequence.nextTokenIndex) - again.length;
    const end = sequence.nextTokenIndex;
    if (start < end) await sequence.eraseContextTokenRanges([{ start, end }]);
    this.#unread = [...again, ...tokens];
  }

  async #sampling(): Promise<SequenceEvaluateOptions> {
    const { call, generation } = this.prepared;
    const { temperature, topP, topK = defaultTopK } = call.sampling;
    const { repeatPenalty, grammars } = this.#options;
    const { grammar } = generation;
    return {
      temperature,
      topP,
      topK,
      // Left out, it is the time in seconds: the same for all calls of that second.
      seed: randomInt(2 ** 32),
      yieldEogToken: true,
      ...(repeatPenalty === 1
        ? {}
        : {
            repeatPenalty: {
              punishTokens: () => generation.recentTokens,
              penalty: repeatPenalty,
            },
          }),
      ...(grammar === undefined ? {} : { grammarEvaluationState: await grammars.start(grammar) }),
    };
  }
}
