// The yardstick: the least that a proxy can do which parses and rewrites. node:http in, one
// undici pool out; no keys, no limits, no ledger, no log, no checks, no care for a slow reader.

import { createServer, type ServerResponse } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { Type } from "typebox";
import { type Dispatcher, Pool } from "undici";
import { answerParent } from "./program.ts";
import { CHAT_PATH, PUBLIC_MODEL, UPSTREAM_MODEL } from "./wire.ts";

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 1024 });
const HEADERS = ["content-type", "application/json"];
const EVENT = "data: ";

class Relay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #decoder = new StringDecoder("utf8");
  readonly #chunks: Buffer[] = [];
  #streamed = false;
  #status = 0;
  #pending = "";

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#streamed = String(headers["content-type"]).includes("event-stream");
    if (this.#streamed) this.#response.writeHead(status, ["content-type", "text/event-stream"]);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#streamed) {
      this.#chunks.push(chunk);
      return;
    }
    this.#pending += this.#decoder.write(chunk);
    let rewritten = "";
    let at = 0;
    for (;;) {
      const end = this.#pending.indexOf("\n\n", at);
      if (end === -1) break;
      rewritten += rewriteEvent(this.#pending.slice(at, end));
      at = end + 2;
    }
    this.#pending = this.#pending.slice(at);
    if (rewritten !== "") this.#response.write(rewritten);
  }

  onResponseEnd(): void {
    if (this.#streamed) {
      this.#response.end();
      return;
    }
    const body = Buffer.concat(this.#chunks);
    const headers = [...HEADERS, "content-length", String(body.length)];
    this.#response.writeHead(this.#status, headers).end(body);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#response.destroy(error);
  }
}

function rewriteEvent(event: string): string {
  const data = event.slice(EVENT.length);
  if (data === "[DONE]") return `${event}\n\n`;
  const chunk: { model?: string } = JSON.parse(data);
  chunk.model = PUBLIC_MODEL;
  return `${EVENT}${JSON.stringify(chunk)}\n\n`;
}

const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body: { model?: string } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    body.model = UPSTREAM_MODEL;
    pool.dispatch(
      { method: "POST", path: CHAT_PATH, headers: HEADERS, body: JSON.stringify(body) },
      new Relay(response),
    );
  });
});

server.listen({ host: "127.0.0.1", port: 0, backlog: 2048 }, () => {
  const address = server.address();
  answerParent({
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    schema: Type.Object({}),
    answer: async () => null,
  });
});
