// The model behind the subjects: a server on bare sockets with its replies ready, so that it
// costs next to nothing and is never what is measured. The parent tells it over its channel
// how streams go: all chunks in one write, or one chunk every so many milliseconds.

import { createServer, type Socket } from "node:net";
import { type StreamShape, StreamShapeSchema } from "./load/orders.ts";
import { answerParent } from "./program.ts";
import {
  burst,
  MODELS_REPLY,
  REFUSAL,
  STREAM_HEAD,
  STREAM_TAIL,
  streamChunk,
  WHOLE_REPLY,
} from "./upstream-replies.ts";
import { microseconds, UPSTREAM_MODEL } from "./wire.ts";

const TICK_MS = 5;
const MODEL_FIELD = `"model":"${UPSTREAM_MODEL}"`;
const STREAM_FIELD = '"stream":true';

type PacedStream = { readonly socket: Socket; left: number };

let shape: StreamShape = { chunks: 1, intervalMs: 0 };
let burstReply = burst(shape.chunks);
/** One list of streams for each tick of an interval: their chunks are spread evenly over it. */
let turns: Set<PacedStream>[] = [];
let turn = 0;
let joining = 0;

function setShape(next: StreamShape): void {
  shape = next;
  if (next.intervalMs === 0) burstReply = burst(next.chunks);
  else {
    const count = Math.max(1, Math.round(next.intervalMs / TICK_MS));
    turns = Array.from({ length: count }, () => new Set());
  }
}

function pace(): void {
  turn += 1;
  const due = turns[turn % Math.max(1, turns.length)];
  if (due === undefined || due.size === 0) return;
  for (const stream of due) {
    if (stream.socket.destroyed) {
      due.delete(stream);
    } else if (stream.left > 0) {
      stream.left -= 1;
      stream.socket.write(streamChunk(microseconds()), "latin1");
    } else {
      due.delete(stream);
      stream.socket.write(STREAM_TAIL, "latin1");
    }
  }
}

function answer(socket: Socket, head: string, body: string): void {
  if (!head.startsWith("POST ")) socket.write(MODELS_REPLY);
  else if (!body.includes(MODEL_FIELD)) socket.write(REFUSAL);
  else if (!body.includes(STREAM_FIELD)) socket.write(WHOLE_REPLY);
  else if (shape.intervalMs === 0) socket.write(burstReply);
  else {
    socket.write(STREAM_HEAD, "latin1");
    joining += 1;
    turns[joining % turns.length]?.add({ socket, left: shape.chunks });
  }
}

const server = createServer({ noDelay: true }, (socket) => {
  let pending = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    pending += bytes.toString("latin1");
    for (;;) {
      const headEnd = pending.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      const head = pending.slice(0, headEnd);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (pending.length < end) return;
      const body = pending.slice(headEnd + 4, end);
      pending = pending.length === end ? "" : pending.slice(end);
      answer(socket, head, body);
    }
  });
});

setInterval(pace, TICK_MS);
server.listen({ host: "127.0.0.1", port: 0, backlog: 2048 }, () => {
  const address = server.address();
  answerParent({
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    schema: StreamShapeSchema,
    answer: async (next) => setShape(next),
  });
});
