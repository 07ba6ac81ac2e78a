// Sha256 of a file that lies on the disk, read in pieces.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { PullOptions } from "./weights.ts";

const READ_BYTES = 1024 ** 2;

export async function hashFile(path: string, { signal, onProgress }: PullOptions): Promise<string> {
  const { size } = await stat(path);
  const hash = createHash("sha256");
  let doneBytes = 0;
  const source = createReadStream(path, {
    highWaterMark: READ_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const chunk of source) {
    hash.update(chunk);
    doneBytes += chunk.length;
    onProgress?.({ stage: "checking", doneBytes, totalBytes: size });
  }
  return hash.digest("hex");
}
