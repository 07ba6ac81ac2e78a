// Prompt prefixes (system prompt and tools, nothing of a conversation) whose evaluated state is
// kept in files, apart by caller: the key of an entry is the caller and the very tokens. Least
// recently used ones go when the bytes are over the bound, all go after a while without use.

import { createHash } from "node:crypto";
import { chmod, mkdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";

export type PrefixCacheOptions = {
  /** Private to this cache: emptied when it opens and when it closes. */
  readonly directory: string;
  readonly maxBytes: number;
  readonly idleMs: number;
  readonly clock: Clock;
};

export type KeptPrefix = {
  readonly caller: string;
  readonly tokens: readonly number[];
  readonly path: string;
  readonly bytes: number;
};

export class PrefixCache {
  readonly #options: PrefixCacheOptions;
  /** In order of use, the least recent first. */
  readonly #entries = new Map<string, { readonly prefix: KeptPrefix; readonly usedAt: number }>();
  #files = 0;
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #cancelSweep: (() => void) | undefined;

  private constructor(options: PrefixCacheOptions) {
    this.#options = options;
  }

  static async open(options: PrefixCacheOptions): Promise<PrefixCache> {
    await rm(options.directory, { recursive: true, force: true });
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    return new PrefixCache(options);
  }

  get stats(): { entries: number; bytes: number; hits: number; misses: number } {
    const { size } = this.#entries;
    return { entries: size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /** What is kept, for whoever wants to see that nothing else is. */
  get prefixes(): readonly KeptPrefix[] {
    return [...this.#entries.values()].map(({ prefix }) => prefix);
  }

  find(caller: string, tokens: readonly number[]): KeptPrefix | undefined {
    this.#sweep();
    const key = keyOf(caller, tokens);
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#use(key, entry.prefix);
    return entry?.prefix;
  }

  /** What a look-up came to: a prefix may be found and still not be readable. */
  count(outcome: "hit" | "miss"): void {
    if (outcome === "hit") this.#hits += 1;
    else this.#misses += 1;
  }

  has(prefix: KeptPrefix): boolean {
    return this.#entries.get(keyOf(prefix.caller, prefix.tokens))?.prefix === prefix;
  }

  /** Keeps what `save` writes to the path it is given; answers its size. */
  async keep(
    caller: string,
    tokens: readonly number[],
    save: (path: string) => Promise<number>,
  ): Promise<KeptPrefix | undefined> {
    const known = this.find(caller, tokens);
    if (known !== undefined || this.#options.maxBytes === 0) return known;
    this.#files += 1;
    const path = join(this.#options.directory, `${this.#files}.state`);
    const bytes = await save(path);
    await chmod(path, 0o600);
    const prefix: KeptPrefix = { caller, tokens: [...tokens], path, bytes };
    this.#use(keyOf(caller, tokens), prefix);
    this.#bytes += bytes;
    for (const { prefix: oldest } of this.#entries.values()) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.drop(oldest);
    }
    return this.has(prefix) ? prefix : undefined;
  }

  drop(prefix: KeptPrefix): void {
    if (!this.has(prefix)) return;
    this.#entries.delete(keyOf(prefix.caller, prefix.tokens));
    this.#bytes -= prefix.bytes;
    // A file that cannot be removed now goes with its directory.
    unlink(prefix.path).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#cancelSweep?.();
    this.#entries.clear();
    this.#bytes = 0;
    await rm(this.#options.directory, { recursive: true, force: true });
  }

  #use(key: string, prefix: KeptPrefix): void {
    this.#entries.delete(key);
    this.#entries.set(key, { prefix, usedAt: this.#options.clock.now() });
    this.#scheduleSweep();
  }

  #sweep(): void {
    const { clock, idleMs } = this.#options;
    const latest = clock.now() - idleMs;
    for (const { prefix, usedAt } of this.#entries.values()) {
      if (usedAt > latest) break;
      this.drop(prefix);
    }
  }

  #scheduleSweep(): void {
    if (this.#cancelSweep !== undefined) return;
    const [oldest] = this.#entries.values();
    if (oldest === undefined) return;
    const { clock, idleMs } = this.#options;
    const waitMs = Math.max(1, oldest.usedAt + idleMs - clock.now());
    this.#cancelSweep = clock.after(waitMs, () => {
      this.#cancelSweep = undefined;
      this.#sweep();
      this.#scheduleSweep();
    });
  }
}

/** A hash stands for the tokens: nobody can choose two prefixes that share one. */
function keyOf(caller: string, tokens: readonly number[]): string {
  const hash = createHash("sha256").update(Uint32Array.from(tokens)).digest("base64");
  return `${hash} ${caller}`;
}
