// The admin door on a socket that only its owner can open.

import { chmod, rm } from "node:fs/promises";
import { connect } from "node:net";
import type { HttpServer } from "../http/index.ts";

/** Listens there in place of a socket that a killed process left. */
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

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
