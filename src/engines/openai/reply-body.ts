// A reply that is read whole before anything is made of it, up to a bound.

export class ReplyBody {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False: the reply is larger than the bound, and what went beyond it is not kept. */
  push(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > this.#limit) return false;
    this.#chunks.push(chunk);
    return true;
  }

  text(): string {
    const [only] = this.#chunks;
    if (only !== undefined && this.#chunks.length === 1) return only.toString("utf8");
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
