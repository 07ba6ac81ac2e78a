// Request ids: the caller's own when it is harmless to log and to send back, else a new one.

import { randomUUID } from "node:crypto";

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === "string" && SANE.test(header) ? header : randomUUID();
}
