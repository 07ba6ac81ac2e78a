// A JSON question to a server on a local socket: the other end of the admin door.

import { request } from "node:http";

export type SocketQuestion = {
  readonly socketPath: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
};

export type SocketAnswer = { readonly status: number; readonly value: unknown };

/** Rejects when nobody answers there, or not in time. */
export function askOverSocket(question: SocketQuestion): Promise<SocketAnswer> {
  const { socketPath, method, path, timeoutMs } = question;
  return new Promise((resolve, reject) => {
    const asked = request({
      socketPath,
      method,
      path,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "content-type": "application/json" },
    });
    asked.on("error", reject);
    asked.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, value: JSON.parse(text) }),
      );
    });
    asked.end(question.body === undefined ? undefined : JSON.stringify(question.body));
  });
}
