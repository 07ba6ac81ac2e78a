// The step after which weights count: checked, on the disk, and under their name at once.

import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { invalidRequest, ServiceError } from "../call/index.ts";
import { checkFormat } from "./check-format.ts";
import {
  type Fetched,
  type FetchOrder,
  type Place,
  syncDirectory,
  writeManifest,
} from "./place.ts";

export async function seal(
  fetched: Fetched,
  path: string,
  { place, sha256 }: Pick<FetchOrder, "place" | "sha256">,
): Promise<void> {
  await sweepWhenRefused(place, async () => {
    if (sha256 !== undefined && fetched.sha256 !== sha256) {
      throw invalidRequest(
        `${place.source} has sha256 ${fetched.sha256}, and ${sha256} was asked for: the weights are not used. Correct the sha256, or the source`,
      );
    }
    await checkFormat(path, fetched.path);
  });
  await rename(fetched.path, path);
  await writeManifest(place, path, fetched.sha256);
  await syncDirectory(place.directory);
  await sweep(place);
}

/** What was fetched whole and is then refused would be refused again: nothing of it is kept. */
export async function sweepWhenRefused<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) await sweep(place);
    throw error;
  }
}

async function sweep({ directory }: Place): Promise<void> {
  const unfinished = (await readdir(directory)).filter((name) => name.includes(".partial"));
  await Promise.all(unfinished.map((name) => rm(join(directory, name), { force: true })));
}
