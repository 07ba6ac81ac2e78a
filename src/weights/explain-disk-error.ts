// What the disk refuses, in words that say what to do.

import { serverError } from "../call/index.ts";

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOSPC:
    "the disk is full. Free some space, or name another data directory with --data, and pull again: it goes on where it stopped",
  EDQUOT: "your disk quota is used up. Free some space and pull again: it goes on where it stopped",
  EACCES:
    "this user may not write there. Change its owner, or name another data directory with --data",
  EPERM:
    "this user may not write there. Change its owner, or name another data directory with --data",
  EROFS: "the file system is read-only. Name another data directory with --data",
  ENOTDIR: "a file lies where a folder should be. Name another data directory with --data",
  EFBIG: "the file system cannot hold a file that large",
};

/** Other errors come back as they are. */
export function explainDiskError(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const says = EXPLANATIONS[String(error.code)];
  if (says === undefined) return error;
  const path = "path" in error ? String(error.path) : directory;
  // Settings of npm and files of the operator lie elsewhere, and are only read.
  if (!path.startsWith(directory)) {
    return serverError(`${path} cannot be read (${error.code}): change its owner or mode`, error);
  }
  return serverError(`Cannot write weights to ${directory}: ${says}`, error);
}
