// The door of a bucket: takes a request with the most tokens it can use, or refuses it with
// the time after which it will be taken. A bucket is a resource and a model: it outlives the
// key, so rotating one does not reset a limit.

import { invalidRequest, ServiceError } from "../call/index.ts";
import type { Limits } from "../catalog/index.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { Decision, SharedState, Standing } from "./shared-state.ts";

export type BucketOwner = {
  readonly resource: { readonly id: string };
  readonly model: { readonly id: string; readonly limits: Limits };
};

export type AdmissionRequest = BucketOwner & {
  /** The most the request can use: estimated prompt and its output cap. */
  readonly reserveTokens: number;
  /** Told how it was decided. */
  readonly observer?: {
    limited(decision: "admitted" | "requests" | "tokens"): void;
  };
};

export type Reservation = {
  /** As of the admission, this request included. */
  readonly standing: Standing;
  /**
   * Replaces the reserved tokens by those really used. Only the first call counts, so that
   * every way out of a request may settle.
   */
  settle(usedTokens: number): void;
};

export type AdmissionOptions = { readonly sharedState: SharedState };

export interface Admission {
  /** Rejects with a 429, or with a 400 when no waiting could help. */
  admit(request: AdmissionRequest): Promise<Reservation>;
  /** For replies that admitted nothing. */
  standing(owner: BucketOwner): Standing | Promise<Standing>;
}

// A resource id has no space in it, so two pairs never make the same bucket.
const bucketOf = ({ resource, model }: BucketOwner): string => `${resource.id} ${model.id}`;

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;

function headersOf(standing: Standing): Record<string, string> {
  const flat = rateLimitHeaders(standing);
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) headers[`${flat[i]}`] = `${flat[i + 1]}`;
  return headers;
}

function refusal(
  { model, reserveTokens }: AdmissionRequest,
  { limitedBy, retryAfterMs, standing }: Extract<Decision, { admitted: false }>,
): ServiceError {
  if (limitedBy === "tokens" && retryAfterMs === Number.POSITIVE_INFINITY) {
    return invalidRequest(
      `This request may use ${reserveTokens} tokens, and ${model.id} allows ` +
        `${model.limits.tokens} tokens a minute: lower max_completion_tokens or shorten the prompt.`,
    );
  }
  return new ServiceError({
    status: 429,
    type: "rate_limit_error",
    message: "Rate limit exceeded",
    retryable: true,
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
    headers: headersOf(standing),
  });
}

export function createAdmission({ sharedState }: AdmissionOptions): Admission {
  return {
    async admit(request) {
      if (!isCount(request.reserveTokens)) {
        throw new RangeError(`Not a count of tokens to reserve: ${request.reserveTokens}`);
      }
      const bucket = bucketOf(request);
      const decision = await sharedState.admit(bucket, request.model.limits, request.reserveTokens);
      request.observer?.limited(decision.admitted ? "admitted" : decision.limitedBy);
      if (!decision.admitted) throw refusal(request, decision);
      const { ticket, standing } = decision;
      let settled = false;
      return {
        standing,
        settle(usedTokens) {
          // What is no count (an upstream may report anything) leaves the estimate standing:
          // one NaN in a sum would lift the limit for good.
          if (settled || !isCount(usedTokens)) return;
          settled = true;
          sharedState.settle(bucket, ticket, usedTokens);
        },
      };
    },
    standing: (owner) => sharedState.standing(bucketOf(owner), owner.model.limits),
  };
}
