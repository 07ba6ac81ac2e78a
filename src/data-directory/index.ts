// Where things are in a data directory, for those who must find them without opening it. It
// needs nothing else of the house: a command that only asks a running server stays quick.

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** sun_path has 104 bytes on macOS and the BSDs, 108 on Linux. */
const LONGEST_SOCKET_PATH = 103;

/**
 * The admin socket: in the data directory, or, when that path is longer than a socket's may
 * be, at a name in the temporary directory that only the data directory gives.
 */
export function adminSocketPath(dataDirectory: string): string {
  const path = join(resolve(dataDirectory), "admin.sock");
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return path;
  const name = createHash("sha256").update(path).digest("hex").slice(0, 24);
  return join(tmpdir(), `hearth-${name}.sock`);
}
