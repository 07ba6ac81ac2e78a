// Where the weights of one reference are kept, and the manifest that makes a file there count:
// without one, whatever lies there is unfinished.

import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import type { Tools } from "./download.ts";
import { hashFile } from "./hash-file.ts";
import { isMissing, readJsonFile, writeJsonFile } from "./json-file.ts";
import type { PullProgress } from "./weights.ts";

const ManifestSchema = Type.Object({
  source: Type.String(),
  bytes: Type.Number(),
  /** While size and time of change are these, the file is not read again. */
  mtimeMs: Type.Number(),
  sha256: Type.String(),
});

export type Manifest = Static<typeof ManifestSchema>;

export type Place = {
  readonly directory: string;
  readonly manifestPath: string;
  readonly source: string;
};

export type FetchOrder = {
  readonly place: Place;
  readonly tools: Tools;
  readonly sha256: string | undefined;
  readonly onProgress: (progress: PullProgress) => void;
};

/** A file that is there whole, but not yet under its name. */
export type Fetched = { readonly path: string; readonly bytes: number; readonly sha256: string };

const LONGEST_NAME = 64;

export const weightsDirectory = (dataDirectory: string): string => join(dataDirectory, "weights");

/** Readable, and of its own: two sources never meet in one folder. */
export function placeOf(directory: string, source: string): Place {
  const words = source
    .replace(/[^\w.]+/g, "-")
    .slice(0, LONGEST_NAME)
    .replace(/-$/, "");
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
  const own = join(directory, `${words}-${hash}`);
  return { directory: own, manifestPath: join(own, "weights.json"), source };
}

export async function readManifest(place: Place): Promise<Manifest | undefined> {
  const manifest = await readJsonFile(place.manifestPath, ManifestSchema);
  return manifest?.source === place.source ? manifest : undefined;
}

export async function writeManifest(place: Place, path: string, sha256: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  await writeJsonFile(place.manifestPath, { source: place.source, bytes: size, mtimeMs, sha256 });
}

/** Sha256 of the file now: as remembered, or read afresh when the file has changed since. */
export async function currentSha256(
  path: string,
  manifest: Manifest | undefined,
  options: Parameters<typeof hashFile>[1],
): Promise<{ readonly sha256: string; readonly remembered: boolean } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (manifest?.bytes === size && manifest.mtimeMs === mtimeMs) {
      return { sha256: manifest.sha256, remembered: true };
    }
    return { sha256: await hashFile(path, options), remembered: false };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A rename counts after a power cut only once its folder is on the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(directory, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
