// A connection that failed, in our words. Time-outs are our own settings running out (504);
// whatever else happens to a socket is the engine being away (502).

import { timedOut } from "../../call/index.ts";
import type { AttemptFailure } from "../target.ts";
import { brokenReply } from "./map-upstream-error.ts";

const BROKEN = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

export function readErrorCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The peer closed under us, as it does when it had already given up an idle connection. */
export const isBrokenConnection = (error: Error): boolean => BROKEN.has(readErrorCode(error));

export function mapTransportError(error: Error): AttemptFailure {
  const code = readErrorCode(error);
  switch (code) {
    case "UND_ERR_HEADERS_TIMEOUT":
      return lateReply("did not begin its reply within first_byte_timeout");
    case "UND_ERR_BODY_TIMEOUT":
      return lateReply("fell silent in its reply for longer than idle_timeout");
    case "UND_ERR_CONNECT_TIMEOUT":
      return brokenReply("could not be reached within connect_timeout", error);
    case "ECONNREFUSED":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return brokenReply("cannot be reached", error);
    default:
      return brokenReply("broke the connection", error);
  }
}

const lateReply = (what: string): AttemptFailure => ({
  fault: "target",
  error: timedOut(`the engine behind this model ${what}`),
});
