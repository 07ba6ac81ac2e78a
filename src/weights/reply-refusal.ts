// A reply that is not the file, as an error that says whether to try again.

import { notFound, ServiceError } from "../call/index.ts";
import type { Reply } from "./transport.ts";

export type Refusal = {
  /** What was asked for, in words. */
  readonly what: string;
  /** What to do about 401 and 403, and about 404. */
  readonly onDenied: string;
  readonly onMissing: string;
};

export async function refuse(reply: Reply, host: string, refusal: Refusal): Promise<never> {
  await reply.discard();
  const { status } = reply;
  const said = reply.ownHeader("x-error-message");
  const reason = said === undefined ? "" : ` (${said})`;
  if (status === 404 || status === 410) {
    throw notFound(`${host} does not have ${refusal.what}${reason}. ${refusal.onMissing}`);
  }
  if (status === 401 || status === 403) {
    throw new ServiceError({
      status,
      type: status === 401 ? "authentication_error" : "authorization_error",
      message: `${host} refuses ${refusal.what} with ${status}${reason}. ${refusal.onDenied}`,
    });
  }
  const retryAfterSeconds = readRetryAfter(reply.ownHeader("retry-after"));
  throw new ServiceError({
    status: 502,
    type: "server_error",
    message: `${host} answers ${status} for ${refusal.what}${reason}`,
    retryable: status >= 500 || status === 429 || status === 408,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function readRetryAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
