// One request on one upstream connection, from dispatch to the last byte. It is the handler
// that undici calls: no stream objects, no promise per packet. It ends exactly once: with a
// failure or undefined, or with the caller's reason when the caller goes away.

import type { Dispatcher } from "undici";
import type { Call, EventSink } from "../../call/index.ts";
import type { AttemptFailure } from "../target.ts";
import { isBrokenConnection, mapTransportError } from "./map-transport-error.ts";
import { brokenReply, type ErrorMapper, unusableReply } from "./map-upstream-error.ts";
import { readErrorBody } from "./read-error-message.ts";
import { parseJson } from "./read-json.ts";
import { type ReplyHeaders, readRetryAfter } from "./read-retry-after.ts";
import { ReplyBody } from "./reply-body.ts";
import { ReplyReader } from "./reply-reader.ts";
import { createStreamReader, type StreamReader } from "./stream-reader.ts";

export type ChatExchangeOptions = {
  readonly call: Call;
  readonly sink: EventSink;
  readonly signal: AbortSignal;
  readonly maxReplyBytes: number;
  readonly errors: ErrorMapper;
  readonly createId: () => string;
  readonly now: () => number;
  /** Asked when the request is written: was this connection used before? */
  readonly isReusedConnection: () => boolean;
};

const OVER = new Error("the exchange is over");
const ERROR_BODY_LIMIT = 64 * 1024;

export class ChatExchange implements Dispatcher.DispatchHandler {
  /** A pooled connection turned out to be dead before the upstream answered anything. */
  brokenBeforeReply = false;
  readonly #options: ChatExchangeOptions;
  readonly #outcome = Promise.withResolvers<AttemptFailure | undefined>();
  readonly #reply: ReplyReader;
  #controller: Dispatcher.DispatchController | undefined;
  #reused = false;
  #status = 0;
  #headers: ReplyHeaders = {};
  #stream: StreamReader | undefined;
  #body: ReplyBody | undefined;
  #over = false;

  constructor(options: ChatExchangeOptions) {
    this.#options = options;
    this.#reply = new ReplyReader({
      sink: options.sink,
      stop: options.call.sampling.stop,
      maxHeld: options.maxReplyBytes,
      errors: options.errors,
      createId: options.createId,
    });
    options.signal.addEventListener("abort", this.#abort);
  }

  get outcome(): Promise<AttemptFailure | undefined> {
    return this.#outcome.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#reused = this.#options.isReusedConnection();
    if (this.#over) controller.abort(OVER);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReplyHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status >= 300) {
      this.#body = new ReplyBody(ERROR_BODY_LIMIT);
    } else if (isEventStream(headers, this.#options.call.stream)) {
      this.#stream = createStreamReader(this.#reply, this.#options.maxReplyBytes);
    } else {
      this.#body = new ReplyBody(this.#options.maxReplyBytes);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Bytes after the end would keep this connection busy for nobody.
    if (this.#over) {
      controller.abort(OVER);
    } else if (this.#stream !== undefined) {
      this.#stream.push(chunk);
      this.#afterReading(controller);
    } else if (this.#body?.push(chunk) === false) {
      const refused = this.#status >= 300;
      this.#end(refused ? this.#refusal() : brokenReply("answered with more than max_reply"));
      controller.abort(OVER);
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    if (this.#status >= 300) {
      this.#end(this.#refusal());
      return;
    }
    if (this.#stream !== undefined) {
      this.#stream.end();
    } else if (this.#body !== undefined) {
      this.#reply.read(parseJson(this.#body.text()));
      this.#reply.finish();
    }
    this.#end(this.#reply.failure);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    if (this.#status >= 300) {
      this.#end(this.#refusal());
      return;
    }
    if (this.#stream !== undefined && this.#reply.turnEnded) {
      this.#stream.end();
      this.#end(this.#reply.failure);
      return;
    }
    this.brokenBeforeReply = this.#status === 0 && this.#reused && isBrokenConnection(error);
    this.#end(mapTransportError(error));
  }

  #afterReading(controller: Dispatcher.DispatchController): void {
    if (this.#reply.done) {
      this.#end(this.#reply.failure);
      if (this.#reply.failure !== undefined) controller.abort(OVER);
    } else if (this.#reply.behind && !controller.paused) {
      this.#reply.behind = false;
      controller.pause();
      this.#options.sink.drained().then(
        () => controller.resume(),
        () => {
          // The reader's failure, which must not count against the target.
          this.#end(unusableReply("was given up because its reader failed"));
          controller.abort(OVER);
        },
      );
    }
  }

  #refusal(): AttemptFailure {
    return this.#options.errors.fromStatus({
      status: this.#status,
      message: readErrorBody(this.#body?.text() ?? ""),
      retryAfterSeconds: readRetryAfter(this.#headers, this.#options.now()),
    });
  }

  readonly #abort = (): void => {
    if (this.#over) return;
    this.#over = true;
    this.#options.signal.removeEventListener("abort", this.#abort);
    this.#outcome.reject(this.#options.signal.reason);
    // Not written yet: onRequestStart will find that the exchange is over.
    this.#controller?.abort(OVER);
  };

  #end(failure: AttemptFailure | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.signal.removeEventListener("abort", this.#abort);
    this.#outcome.resolve(failure);
  }
}

/** By what it says it is; where it says nothing, by what was asked for. */
function isEventStream(headers: ReplyHeaders, asked: boolean): boolean {
  const type = headers["content-type"];
  if (typeof type !== "string") return asked;
  return type.includes("event-stream") || (asked && !type.includes("json"));
}
