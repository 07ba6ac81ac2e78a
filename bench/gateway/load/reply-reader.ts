// Reads HTTP replies off one keep-alive connection: just enough of the protocol for what the
// subjects send, and cheap. Bytes are taken as Latin-1, so that a character is a byte.

export type ReplyEvents = {
  /** A piece of the body, freed of its framing. */
  onBody(text: string): void;
  onEnd(status: number): void;
};

type Framing = { readonly type: "length"; left: number } | { readonly type: "chunked" };

export class ReplyReader {
  readonly #events: ReplyEvents;
  #pending = "";
  #status = 0;
  #framing: Framing | undefined;

  constructor(events: ReplyEvents) {
    this.#events = events;
  }

  push(bytes: Buffer): void {
    this.#pending += bytes.toString("latin1");
    while (this.#step());
  }

  /** False when more bytes are needed. */
  #step(): boolean {
    if (this.#framing === undefined) return this.#readHead();
    return this.#framing.type === "length" ? this.#readPlain(this.#framing) : this.#readChunks();
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf("\r\n\r\n");
    if (end === -1) return false;
    const head = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(end + 4);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#framing =
      length === undefined ? { type: "chunked" } : { type: "length", left: Number(length) };
    return true;
  }

  #readPlain(framing: { left: number }): boolean {
    const piece = this.#pending.slice(0, framing.left);
    this.#pending = this.#pending.slice(piece.length);
    framing.left -= piece.length;
    if (piece !== "") this.#events.onBody(piece);
    if (framing.left > 0) return false;
    return this.#finish();
  }

  #readChunks(): boolean {
    const text = this.#pending;
    let at = 0;
    for (;;) {
      const sizeEnd = text.indexOf("\r\n", at);
      if (sizeEnd === -1) break;
      const size = Number.parseInt(text.slice(at, sizeEnd), 16);
      if (Number.isNaN(size)) throw new Error("a reply is not framed as its head says");
      const end = sizeEnd + 2 + size;
      if (text.length < end + 2) break;
      if (size === 0) {
        this.#pending = text.slice(end + 2);
        return this.#finish();
      }
      this.#events.onBody(text.slice(sizeEnd + 2, end));
      at = end + 2;
    }
    this.#pending = text.slice(at);
    return false;
  }

  #finish(): boolean {
    this.#framing = undefined;
    this.#events.onEnd(this.#status);
    return this.#pending !== "";
  }
}
