// The vocabulary of a scripted model, and which token leads to which. A token knows nothing of
// what came before it, so every piece of every answer is a token of its own: text that repeats
// itself is cut into ever longer pieces until each is used once.

/** What the model writes after a trigger: text, or the very tokens (`<0xE2>` is a byte). */
export type ScriptedAnswer = {
  readonly says: string | readonly string[];
  /** After the last piece: the end of the turn, or the first piece again, for ever. */
  readonly after?: "end" | "repeat";
};

/** Answers by the trigger that the prompt ends with. */
export type Script = Readonly<Record<string, ScriptedAnswer>>;

export type ScriptedVocabulary = {
  readonly tokens: readonly string[];
  readonly types: readonly number[];
  /** Token by token, the one that follows. */
  readonly next: readonly number[];
};

export const specialTokens = { unknown: 0, begin: 1, end: 2 };
const tokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 };
const firstByte = 3;

export function buildVocabulary(
  script: Script,
  controlTokens: readonly string[],
): ScriptedVocabulary {
  const tokens = ["<unk>", "<s>", "</s>"];
  const types = [tokenType.unknown, tokenType.control, tokenType.control];
  const add = (token: string, type: number): number => types.push(type) && tokens.push(token) - 1;
  for (let byte = 0; byte < 256; byte += 1) add(byteToken(byte), tokenType.byte);
  for (const token of controlTokens) add(token, tokenType.control);
  const triggers = Object.keys(script).map((trigger) => {
    const known = tokens.indexOf(trigger);
    // A trigger counts in any text, also in a user's: that is how a test picks its answer.
    return known === -1 ? add(trigger, tokenType.userDefined) : known;
  });

  const next = new Map<number, number>();
  const used = new Set(tokens);
  for (const { says } of Object.values(script)) {
    if (typeof says !== "string") for (const piece of says) used.add(piece);
  }
  Object.values(script).forEach(({ says, after: ending = "end" }, line) => {
    const pieces = typeof says === "string" ? cutIntoPieces(says, used) : says;
    const ids = pieces.map((piece) => {
      const byte = readByte(piece);
      if (byte !== undefined) return firstByte + byte;
      const known = tokens.indexOf(piece);
      return known === -1 ? add(toTokenText(piece), tokenType.normal) : known;
    });
    const after = ending === "end" ? specialTokens.end : (ids[0] ?? specialTokens.end);
    let from = triggers[line] ?? specialTokens.end;
    // An answer that ends with a trigger goes on as that trigger's answer.
    const chained = triggers.includes(ids.at(-1) ?? -1);
    for (const id of chained ? ids : [...ids, after]) {
      if (next.has(from) && next.get(from) !== id) {
        throw new Error(`token ${JSON.stringify(tokens[from])} would lead to two others`);
      }
      next.set(from, id);
      from = id;
    }
  });
  return { tokens, types, next: tokens.map((_, id) => next.get(id) ?? specialTokens.end) };
}

function cutIntoPieces(text: string, used: Set<string>): string[] {
  const pieces: string[] = [];
  const characters = Array.from(text);
  let start = 0;
  while (start < characters.length) {
    let end = start + 1;
    while (end < characters.length && used.has(characters.slice(start, end).join(""))) end += 1;
    const piece = characters.slice(start, end).join("");
    if (used.has(piece)) throw new Error(`no unused piece left for the end of ${text}`);
    used.add(piece);
    pieces.push(piece);
    start = end;
  }
  return pieces;
}

const byteToken = (byte: number): string =>
  `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;

function readByte(piece: string): number | undefined {
  const digits = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** This kind of vocabulary writes a space as U+2581. */
const toTokenText = (piece: string): string => piece.replaceAll(" ", "\u2581");
