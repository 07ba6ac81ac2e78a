// Packs files as npm does, for the tests of this folder.

import { gzipSync } from "node:zlib";

const BLOCK = 512;

export type PackedFile = { readonly name: string; readonly body: Buffer };

export const packTgz = (files: readonly PackedFile[]): Buffer => gzipSync(packTar(files));

export function packTar(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap(({ name, body }) => {
    if (Buffer.byteLength(name) <= 100) return [header(name, body.length), padded(body)];
    const pax = Buffer.from(paxRecord("path", name));
    return [
      header("PaxHeader/long", pax.length, "x"),
      padded(pax),
      header(name.slice(0, 90), body.length),
      padded(body),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

export function header(name: string, bytes: number, type = "0", prefix = ""): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write("000644 \0", 100);
  block.write(`${bytes.toString(8).padStart(11, "0")} `, 124);
  block.write(type, 156);
  block.write("ustar\u000000", 257);
  block.write(prefix, 345, 155);
  return withChecksum(block);
}

export function withChecksum(block: Buffer): Buffer {
  block.fill(" ", 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

export function padded(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

/** Its length counts itself, so it is found by trying. */
export function paxRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(`${length}${rest}`) !== length) length += 1;
  return `${length}${rest}`;
}
