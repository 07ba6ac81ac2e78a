// A file that is still arriving: its bytes, a record beside it that says what they are part of,
// and a digest kept in step, so that the whole needs no second reading. Another process finds
// both and goes on; a record that does not fit means starting afresh.

import { createHash, type Hash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { type Static, Type } from "typebox";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

const RecordSchema = Type.Object({
  /** What is being fetched; bytes of something else are not gone on with. */
  identity: Type.String(),
  /** For If-Range; absent where the sender gave none that is strong. */
  validator: Type.Optional(Type.String()),
  totalBytes: Type.Optional(Type.Number()),
  /** Digest of the whole as the sender told it, hex. */
  toldDigest: Type.Optional(Type.String()),
});

export type PartialRecord = Static<typeof RecordSchema>;

export interface PartialFile {
  readonly bytes: number;
  readonly record: PartialRecord | undefined;
  /** Some of it comes from an earlier process. */
  readonly inherited: boolean;
  isWhole(): boolean;
  /** Drops what there is: the bytes that follow are from the start. */
  begin(record: PartialRecord): Promise<void>;
  append(chunk: Buffer): Promise<void>;
  /** The sender had not told the size: it has ended here. */
  end(): Promise<void>;
  /** Hex, of all that is there. */
  digest(): string;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type PartialOpening = {
  readonly path: string;
  readonly identity: string;
  readonly algorithm: string;
  readonly signal: AbortSignal;
};

export async function openPartial(opening: PartialOpening): Promise<PartialFile> {
  const { path, identity, algorithm, signal } = opening;
  const recordPath = recordOf(path);
  const file = await open(path, "a+", 0o600);
  let record = await readJsonFile(recordPath, RecordSchema);
  let hash = createHash(algorithm);
  let bytes = 0;

  const clear = async (): Promise<void> => {
    await file.truncate(0);
    hash = createHash(algorithm);
    bytes = 0;
  };

  try {
    if (record?.identity === identity) bytes = await feed(hash, file, signal);
    else record = undefined;
    if (record === undefined || bytes > (record.totalBytes ?? Number.POSITIVE_INFINITY)) {
      record = undefined;
      await clear();
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  let inherited = bytes > 0;

  return {
    get bytes() {
      return bytes;
    },
    get record() {
      return record;
    },
    get inherited() {
      return inherited;
    },
    isWhole: () => record?.totalBytes !== undefined && bytes === record.totalBytes,
    async begin(next) {
      await clear();
      inherited = false;
      record = next;
      await writeJsonFile(recordPath, next);
    },
    async append(chunk) {
      for (let written = 0; written < chunk.length; ) {
        written += (await file.write(chunk, written)).bytesWritten;
      }
      hash.update(chunk);
      bytes += chunk.length;
    },
    async end() {
      record = { identity, ...record, totalBytes: bytes };
      await writeJsonFile(recordPath, record);
    },
    digest: () => hash.copy().digest("hex"),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

export async function discardPartial(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(recordOf(path), { force: true });
}

const recordOf = (path: string): string => `${path}.json`;

async function feed(
  hash: Hash,
  file: Awaited<ReturnType<typeof open>>,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0;
  const source = file.createReadStream({
    start: 0,
    autoClose: false,
    highWaterMark: 1024 ** 2,
    signal,
  });
  for await (const chunk of source) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return bytes;
}
