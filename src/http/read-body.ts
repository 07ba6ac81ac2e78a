// A request body as one JSON value: type and size are refused before a byte is read, the
// size again while reading, for senders that do not declare it.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { invalidRequest, ServiceError } from "../call/index.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Throws what is wrong with the request's body before any of it has been read. */
export function checkBodyHeaders(request: IncomingMessage, limit: number): void {
  const type = request.headers["content-type"];
  if (type === undefined || !(type === "application/json" || JSON_TYPE.test(type))) {
    throw unsupported(`Content-Type must be application/json; got ${type ?? "none"}`);
  }
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupported(`Content-Encoding ${encoding} is not supported; send the body as it is`);
  }
  const length = request.headers["content-length"];
  if (length !== undefined && Number(length) > limit) throw tooLarge(limit, length);
}

export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners("data");
        reject(tooLarge(limit));
        return;
      }
      chunks.push(chunk);
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
    });
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete)
        reject(invalidRequest("The connection closed before the body was whole"));
    });
  });
}

export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw invalidRequest("The body is empty; send a JSON object");
  if (!isUtf8(body)) throw invalidRequest("The body is not valid UTF-8");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidRequest(`The body is not valid JSON: ${reason.slice(0, 200)}`);
  }
}

const unsupported = (message: string): ServiceError =>
  new ServiceError({ status: 415, type: "invalid_request_error", message: message.slice(0, 300) });

const tooLarge = (limit: number, length?: string): ServiceError =>
  new ServiceError({
    status: 413,
    type: "invalid_request_error",
    message: `The body ${length === undefined ? "" : `of ${length} bytes `}is larger than the limit of ${limit} bytes`,
  });
