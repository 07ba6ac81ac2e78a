// A bare TCP client: what a test needs when the point is the bytes, or how they come.

import { connect, type Socket } from "node:net";

export type RawConnection = {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** Resolves once what came so far contains `text`; rejects when the peer closes first. */
  until(text: string | RegExp): Promise<string>;
  /** Everything that came until the peer closed. */
  closed(): Promise<string>;
  received(): string;
  destroy(): void;
};

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  const watchers = new Set<() => void>();
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    received += text;
    for (const watcher of watchers) watcher();
  });
  socket.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return {
    socket,
    send: (bytes) => socket.write(bytes),
    received: () => received,
    closed: async () => {
      await ended;
      return received;
    },
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (typeof text === "string" ? received.includes(text) : text.test(received)) {
            watchers.delete(look);
            resolve(received);
          }
        };
        watchers.add(look);
        void ended.then(() =>
          reject(new Error(`closed before ${text}: ${received.slice(0, 500)}`)),
        );
        look();
      }),
    destroy: () => socket.destroy(),
  };
}
