// One sequence of the context, and the prompt prefix that it still holds from its last call. What
// lies beyond that prefix is somebody's conversation and is erased as soon as the call is over.

import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import type { KeptPrefix, PrefixCache } from "./prefix-cache.ts";

export class Slot {
  readonly #context: LlamaContext;
  readonly #cache: PrefixCache;
  #sequence: LlamaContextSequence;
  #held: KeptPrefix | undefined;

  constructor(context: LlamaContext, cache: PrefixCache) {
    this.#context = context;
    this.#cache = cache;
    this.#sequence = context.getSequence();
  }

  get sequence(): LlamaContextSequence {
    return this.#sequence;
  }

  get held(): KeptPrefix | undefined {
    return this.#held !== undefined && this.#cache.has(this.#held) ? this.#held : undefined;
  }

  /** Makes the slot hold this prefix and nothing else; false: it holds nothing. */
  async restore(prefix: KeptPrefix): Promise<boolean> {
    if (this.held === prefix) return true;
    await this.clear();
    try {
      await this.#sequence.loadStateFromFile(prefix.path, { acceptRisk: true });
    } catch {
      this.#cache.drop(prefix);
      await this.clear();
      return false;
    }
    this.#held = prefix;
    return true;
  }

  /** Keeps the state as it is now, which is that of exactly these tokens. */
  async keep(caller: string, tokens: readonly Token[]): Promise<void> {
    this.#held = await this.#cache.keep(caller, tokens, async (path) => {
      const { fileSize } = await this.#sequence.saveStateToFile(path);
      return fileSize;
    });
  }

  /** The call is over: its conversation goes, its prefix may stay. */
  async release(): Promise<void> {
    const { held } = this;
    // Where the state cannot be cut at any token the library would evaluate the prefix again.
    if (held === undefined || this.#sequence.needsCheckpoints) return this.clear();
    const end = this.#sequence.nextTokenIndex;
    await this.#sequence.eraseContextTokenRanges([{ start: held.tokens.length, end }]);
  }

  async clear(): Promise<void> {
    this.#held = undefined;
    await this.#sequence.clearHistory();
  }

  /** For a sequence whose last step never came back: nothing can be done with it any more. */
  async replace(): Promise<void> {
    this.#held = undefined;
    await this.#sequence.dispose();
    this.#sequence = this.#context.getSequence();
  }
}
