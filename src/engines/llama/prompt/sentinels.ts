// Stand-ins for everything a caller wrote. A template is rendered over them, never over the
// texts themselves: what comes back between two stand-ins is the template's own, and control
// tokens count only there. A caller can guess no stand-in, so nobody can forge a role.

import { randomBytes } from "node:crypto";
import type { PromptPiece } from "../plan.ts";

/** Whose text it is: only what belongs to `system` may be kept in a prompt cache. */
export type Origin = "system" | "conversation";

/** `json` is the text of a JSON value: the quotes a template puts around it are dropped. */
export type Entry = {
  readonly text: string;
  readonly origin: Origin;
  readonly json?: boolean;
  /** May be left out by the template, as old thoughts are. */
  readonly optional?: boolean;
};

export type SplitPrompt = { readonly pieces: PromptPiece[]; readonly cacheablePieces: number };

/** A blank that templates trim and none writes: where it is gone, the text is trimmed too. */
const PAD = "\u2003";

export class Sentinels {
  readonly #nonce: string;
  readonly #entries: Entry[] = [];

  /** `foreign`: all text in which no stand-in may occur by chance. */
  constructor(foreign: readonly string[], random: () => string = randomNonce) {
    let nonce = random();
    while (foreign.some((text) => text.includes(nonce))) nonce = random();
    this.#nonce = nonce;
  }

  add(entry: Entry): string {
    this.#entries.push(entry);
    return `${PAD}${this.#nonce}x${this.#entries.length - 1}z${PAD}`;
  }

  /** The rendering in pieces; undefined where the template lost or repeated a text. */
  split(rendered: string): SplitPrompt | undefined {
    const pieces: PromptPiece[] = [];
    const met = new Set<number>();
    let cacheable: number | undefined;
    let last = 0;
    const form = new RegExp(`("?)${PAD}?${this.#nonce}x(\\d+)z${PAD}?("?)`, "g");
    for (const match of rendered.matchAll(form)) {
      const index = Number(match[2]);
      const entry = this.#entries[index];
      if (entry === undefined || met.has(index)) return undefined;
      met.add(index);
      const quoted = entry.json === true && match[1] !== "" && match[3] !== "";
      const opening = quoted ? "" : (match[1] ?? "");
      pushPiece(pieces, rendered.slice(last, match.index) + opening, true);
      if (entry.origin === "conversation") cacheable ??= pieces.length;
      pushPiece(pieces, trimLike(entry.text, match[0]), false);
      last = match.index + match[0].length - (quoted ? 0 : (match[3] ?? "").length);
    }
    pushPiece(pieces, rendered.slice(last), true);
    const lost = this.#entries.some((entry, index) => !entry.optional && !met.has(index));
    // A stand-in that was cut or changed leaves its random part behind.
    if (lost || pieces.some((piece) => piece.special && piece.text.includes(this.#nonce))) {
      return undefined;
    }
    return { pieces, cacheablePieces: cacheable ?? 0 };
  }
}

function pushPiece(pieces: PromptPiece[], text: string, special: boolean): void {
  if (text !== "") pieces.push({ text, special });
}

function trimLike(text: string, match: string): string {
  const bare = match.replace(/^"/, "").replace(/"$/, "");
  const start = bare.startsWith(PAD) ? text : text.trimStart();
  return bare.endsWith(PAD) ? start : start.trimEnd();
}

const randomNonce = (): string => `q${randomBytes(12).toString("hex")}`;
