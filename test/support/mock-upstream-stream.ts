// Reads a stream without a network: bytes or chunks in, events and the failure out.

import type { CallEvent } from "../../src/call/index.ts";
import { createErrorMapper } from "../../src/engines/openai/map-upstream-error.ts";
import { ReplyReader } from "../../src/engines/openai/reply-reader.ts";
import { createStreamReader } from "../../src/engines/openai/stream-reader.ts";
import type { AttemptFailure } from "../../src/engines/target.ts";
import { RecordingSink } from "./mock-upstream-caller.ts";

export type ReadOptions = { readonly maxReply?: number };

export type ReadResult = {
  readonly events: readonly CallEvent[];
  readonly failure: AttemptFailure | undefined;
};

export function readStream(pieces: readonly Buffer[], options: ReadOptions = {}): ReadResult {
  const sink = new RecordingSink();
  let ids = 0;
  const reply = new ReplyReader({
    sink,
    stop: ["END"],
    maxHeld: options.maxReply ?? 1_000_000,
    errors: createErrorMapper([]),
    createId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  });
  const stream = createStreamReader(reply, options.maxReply ?? 1_000_000);
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return { events: sink.events, failure: reply.failure };
}

export function readChunks(
  chunks: readonly object[],
  options: ReadOptions & { readonly done?: boolean } = {},
): ReadResult {
  const pieces = chunks.map((chunk) => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`));
  if (options.done) pieces.push(Buffer.from("data: [DONE]\n\n"));
  return readStream(pieces, options);
}
