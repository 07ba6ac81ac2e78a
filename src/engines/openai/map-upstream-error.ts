// What a failed try means, and to whom. A request that no target would take is the
// caller's, and is told in the upstream's words; a key or model name that is wrong is the
// operator's, and the caller learns no details; everything else is the target's.

import { invalidRequest, ServiceError, upstreamFailed } from "../../call/index.ts";
import type { AttemptFailure } from "../target.ts";
import { readErrorMessage } from "./read-error-message.ts";
import { asCount, asRecord, asText } from "./read-json.ts";
import { redactMessage } from "./redact-message.ts";

export type UpstreamRefusal = {
  readonly status: number;
  readonly message: string | undefined;
  readonly retryAfterSeconds: number | undefined;
};

export type ErrorMapper = {
  /** A reply with a status that is not 2xx. */
  readonly fromStatus: (refusal: UpstreamRefusal) => AttemptFailure;
  /** The value of `error` inside a reply that began well. */
  readonly fromFrame: (error: unknown) => AttemptFailure;
};

const WHO = "the engine behind this model";

export const brokenReply = (what: string, cause?: unknown): AttemptFailure => ({
  fault: "target",
  error: upstreamFailed(`${WHO} ${what}`, cause),
});

export const unusableReply = (what: string): AttemptFailure => ({
  fault: "reply",
  error: upstreamFailed(`${WHO} ${what}`),
});

const TOO_LONG =
  /context[ _-]?(?:length|size|window)|maximum context|prompt is too long|too many (?:input )?tokens/i;
const FLAGGED = /moderation|flagged|content policy/i;
const BAD_KEY =
  /api[ _-]?key (?:is )?(?:not valid|invalid|expired)|(?:invalid|incorrect) api[ _-]?key/i;

export function createErrorMapper(secrets: readonly string[]): ErrorMapper {
  function fromStatus({ status, message, retryAfterSeconds }: UpstreamRefusal): AttemptFailure {
    const said = message === undefined ? "" : redactMessage(message, secrets);
    if (isCallersFault(status, message ?? "")) {
      return {
        fault: "caller",
        error: invalidRequest(said === "" ? `${WHO} refused the request (${status})` : said),
      };
    }
    if (status === 429) return { fault: "busy", error: tooMany(retryAfterSeconds) };
    const cause = said === "" ? undefined : new Error(said);
    const retryable = status >= 500 || status === 408 || status === 409 || status === 425;
    return {
      fault: "target",
      error: new ServiceError({
        status: 502,
        type: "server_error",
        message: `${WHO} answered ${status}${retryable ? "" : `: ${operatorHint(status)}`}`,
        retryable,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        cause,
      }),
    };
  }

  return {
    fromStatus,
    fromFrame(error) {
      const message = readErrorMessage(error);
      return fromStatus({ status: readStatus(error), message, retryAfterSeconds: undefined });
    },
  };
}

function isCallersFault(status: number, message: string): boolean {
  if (status === 413 || status === 422) return true;
  if (status === 400) return !BAD_KEY.test(message);
  if (status === 403) return FLAGGED.test(message);
  return (status === 404 || status >= 500) && TOO_LONG.test(message);
}

const tooMany = (retryAfterSeconds: number | undefined): ServiceError =>
  new ServiceError({
    status: 503,
    type: "overloaded_error",
    message: `${WHO} takes no more requests now`,
    retryable: true,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

function operatorHint(status: number): string {
  switch (status) {
    case 400:
    case 401:
    case 403:
      return "the operator must check the engine's api_key";
    case 402:
      return "the operator must check the account behind the engine's api_key";
    case 404:
      return "the operator must check the engine's base_url and model";
    default:
      return "the operator must check the engine's base_url";
  }
}

/** A failure inside a stream has no status line; its code or its type stand for one. */
function readStatus(error: unknown): number {
  const record = asRecord(error);
  const code = asCount(record?.code) ?? asCount(Number(asText(record?.code)));
  if (code !== undefined && code >= 400 && code < 600) return code;
  const kind = `${asText(record?.type) ?? ""} ${asText(record?.code) ?? ""}`;
  if (/rate_?limit/i.test(kind)) return 429;
  return /invalid_?request|bad_?request|context_length/i.test(kind) ? 400 : 500;
}
