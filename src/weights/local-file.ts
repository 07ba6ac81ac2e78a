// Weights that the operator put somewhere: used in place. With a sha256 they are read once and
// the answer is kept, so that a start does not read gigabytes again.

import { mkdir, stat } from "node:fs/promises";
import { invalidRequest, notFound } from "../call/index.ts";
import { checkFormat } from "./check-format.ts";
import { isMissing } from "./json-file.ts";
import { currentSha256, type Place, readManifest, writeManifest } from "./place.ts";
import type { PullOptions } from "./weights.ts";

export async function checkLocalFile(
  path: string,
  place: Place,
  sha256: string | undefined,
  options: PullOptions,
): Promise<void> {
  await checkIsFile(path);
  await checkFormat(path, path);
  if (sha256 === undefined) return;
  const found = await localSha256(path, place, options);
  if (found === sha256) return;
  throw invalidRequest(`${path} has sha256 ${found}, and ${sha256} was asked for`);
}

export async function localSha256(
  path: string,
  place: Place,
  options: PullOptions,
): Promise<string> {
  const current = await currentSha256(path, await readManifest(place), options);
  if (current === undefined) throw notFound(`${path} does not exist`);
  if (!current.remembered) await remember(path, place, current.sha256);
  return current.sha256;
}

/** Only saves time: where nothing can be written, the file is read again next time. */
async function remember(path: string, place: Place, sha256: string): Promise<void> {
  try {
    await mkdir(place.directory, { recursive: true, mode: 0o700 });
    await writeManifest(place, path, sha256);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

async function checkIsFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    if (isMissing(error)) throw notFound(`${path} does not exist`);
    throw error;
  }
  throw invalidRequest(`${path} is not a file`);
}
