// Where the admin socket is: in the data directory, or, when that path is longer than a
// socket's may be, at a name in the temporary directory that only the data directory gives.

import { createHash } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { HttpServer } from "../http/index.ts";

/** sun_path has 104 bytes on macOS and the BSDs, 108 on Linux. */
const LONGEST_PATH = 103;

export function adminSocketPath(dataDirectory: string): string {
  const path = join(resolve(dataDirectory), "admin.sock");
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path;
  const name = createHash("sha256").update(path).digest("hex").slice(0, 24);
  return join(tmpdir(), `hearth-${name}.sock`);
}

/** Listens there, for the owner alone, in place of a socket that a killed process left. */
export async function listenOnSocket(server: HttpServer, path: string): Promise<void> {
  if (await answers(path)) throw new Error(`Another hearth process listens on ${path}`);
  await rm(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await server.listen({ path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
}

export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
