// Characters and literals in GBNF's notation. Everything outside plain ASCII letters and a few
// signs is written by code point, so that no text of a caller can end a literal or a class.

/** Code points from the first to the last, both included. */
export type CodeRange = readonly [first: number, last: number];

export function quoteLiteral(text: string): string {
  let quoted = "";
  for (const character of text) quoted += escapeCodePoint(codePointOf(character));
  return `"${quoted}"`;
}

export function writeClass(ranges: readonly CodeRange[]): string {
  let body = "";
  for (const [first, last] of ranges) {
    body += escapeCodePoint(first);
    if (last > first) body += `-${escapeCodePoint(last)}`;
  }
  return `[${body}]`;
}

export const codePointOf = (character: string): number => character.codePointAt(0) ?? 0;

function escapeCodePoint(code: number): string {
  const character = String.fromCodePoint(code);
  if (/[A-Za-z0-9 _.,:;{}()<>/|=+*?!@#$%&'`~]/.test(character)) return character;
  if (code <= 0xff) return `\\x${hex(code, 2)}`;
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, width: number): string =>
  code.toString(16).toUpperCase().padStart(width, "0");
