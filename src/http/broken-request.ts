// What arrives and is not HTTP, or does not arrive in time, still gets an answer in the
// service's error shape, written by hand because node:http has made no request of it.

import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { ServiceError } from "../call/index.ts";

export function answerBrokenRequest(
  error: Error,
  socket: Socket,
  render: (error: ServiceError, requestId: string) => string,
): void {
  // A reply that has begun cannot be followed by another one.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const problem = explain(error);
  const body = render(problem, requestId);
  socket.end(
    `HTTP/1.1 ${problem.status} ${REASONS[problem.status] ?? "Bad Request"}\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const REASONS: Readonly<Record<number, string>> = {
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

function explain(error: Error): ServiceError {
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ServiceError({
      status: 408,
      type: "timeout_error",
      message: "The request did not arrive in time",
    });
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ServiceError({
      status: 431,
      type: "invalid_request_error",
      message: "The request headers are too large",
    });
  }
  return new ServiceError({
    status: 400,
    type: "invalid_request_error",
    message: "The request is not valid HTTP",
  });
}
