// Doors that an operator's own token opens: /metrics and the admin port.

import { hash, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../call/index.ts";
import type { Exchange } from "../http/index.ts";

/** Throws 401 unless the exchange carries exactly this token. */
export function readBearerToken(exchange: Exchange, token: string): void {
  const sent = digest(exchange.header("authorization") ?? "");
  if (timingSafeEqual(sent, digest(`Bearer ${token}`))) return;
  throw new ServiceError({ status: 401, type: "authentication_error", message: "Unauthorized" });
}

/** Digests are of one length, so that comparing them tells nothing of the token's. */
const digest = (text: string): Buffer => hash("sha256", text, "buffer");
