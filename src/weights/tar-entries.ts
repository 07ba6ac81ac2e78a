// Reads a tar stream as npm packs it (ustar, with pax and GNU headers for long names and large
// sizes): each entry's name, and its bytes to whoever wants them, without holding a file.

import { serverError } from "../call/index.ts";

const BLOCK = 512;
const LARGEST_HEADER = 1024 ** 2;

export type TarEntry = { readonly name: string; readonly bytes: number };

/** Answers what to do with the bytes of the entry; undefined passes over it. */
export type EntryReader = (entry: TarEntry) => ((chunk: Buffer) => Promise<void>) | undefined;

export async function readTarEntries(
  chunks: AsyncIterable<Buffer>,
  onEntry: EntryReader,
): Promise<void> {
  const source = createByteSource(chunks);
  let longName: string | undefined;
  let longSize: number | undefined;
  for (;;) {
    const header = await source.block();
    if (header === undefined || header.every((byte) => byte === 0)) return;
    checkSum(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const bytes = longSize ?? readNumber(header.subarray(124, 136));
    if (type === "x" || type === "g" || type === "L" || type === "K") {
      const text = await source.text(bytes);
      if (type === "L") longName = text.replace(/\0.*$/s, "");
      if (type === "x") {
        const fields = readPax(text);
        longName = fields.get("path") ?? longName;
        longSize = fields.has("size") ? Number(fields.get("size")) : longSize;
      }
      continue;
    }
    const name = longName ?? readName(header);
    longName = undefined;
    longSize = undefined;
    const isFile = type === "0" || type === "\0" || type === "7";
    await source.pass(bytes, isFile ? onEntry({ name, bytes }) : undefined);
  }
}

function createByteSource(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  /** At most so many bytes; undefined at the end. */
  async function some(most: number): Promise<Buffer | undefined> {
    while (held.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return undefined;
      held = next.value;
    }
    const taken = held.subarray(0, most);
    held = held.subarray(taken.length);
    return taken;
  }

  async function pass(bytes: number, write?: (chunk: Buffer) => Promise<void>): Promise<void> {
    let left = bytes;
    while (left > 0) {
      const chunk = await some(left);
      if (chunk === undefined) throw broken("it ends inside a file");
      left -= chunk.length;
      await write?.(chunk);
    }
    const padding = (BLOCK - (bytes % BLOCK)) % BLOCK;
    if (padding > 0) await exactly(padding);
  }

  async function exactly(bytes: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      const piece = await some(left);
      if (piece === undefined) {
        if (left === bytes) return undefined;
        throw broken("it ends inside a block");
      }
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  return {
    block: () => exactly(BLOCK),
    pass,
    async text(bytes: number): Promise<string> {
      if (bytes > LARGEST_HEADER) throw broken("a header is too large");
      const pieces: Buffer[] = [];
      await pass(bytes, async (chunk) => void pieces.push(chunk));
      return Buffer.concat(pieces).toString();
    },
  };
}

function readName(header: Buffer): string {
  const field = (start: number, end: number): string =>
    header.toString("utf8", start, end).replace(/\0.*$/s, "");
  const prefix = field(257, 262) === "ustar" ? field(345, 500) : "";
  return prefix === "" ? field(0, 100) : `${prefix}/${field(0, 100)}`;
}

/** Octal text, or, past eight gigabytes, a number in base 256 behind a set high bit. */
function readNumber(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return field.readUIntBE(field.length - 6, 6);
  const text = field.toString("latin1").replace(/\0.*$/s, "").trim();
  if (!/^[0-7]*$/.test(text)) throw broken("a size is no number");
  return Number.parseInt(text || "0", 8);
}

/** Records of the form `LENGTH NAME=VALUE\n`; lengths count bytes. */
function readPax(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const length = Number.parseInt(rest.toString("latin1", 0, 20), 10);
    if (!(length > 0)) throw broken("a pax header is malformed");
    const record = rest.toString("utf8", 0, length - 1);
    const equals = record.indexOf("=");
    fields.set(record.slice(record.indexOf(" ") + 1, equals), record.slice(equals + 1));
    rest = rest.subarray(length);
  }
  return fields;
}

function checkSum(header: Buffer): void {
  let sum = 8 * 0x20;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  if (sum !== readNumber(header.subarray(148, 156))) throw broken("a header's checksum is wrong");
}

const broken = (why: string): Error => serverError(`The package's archive cannot be read: ${why}`);
