// The standing of a bucket as reply headers, flat as node:http writes them: this runs for
// every reply. A limit that does not exist sends no headers.

import type { Standing } from "./shared-state.ts";

/** Whole seconds, rounded up: waiting that long is always enough. */
const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)}s`;

/** `[name, value, name, value, …]` */
export function rateLimitHeaders({ requests, tokens }: Standing): string[] {
  const headers: string[] = [];
  if (requests !== null) {
    headers.push(
      "X-RateLimit-Limit-Requests",
      `${requests.limit}`,
      "X-RateLimit-Remaining-Requests",
      `${requests.remaining}`,
      "X-RateLimit-Reset-Requests",
      seconds(requests.resetMs),
    );
  }
  if (tokens !== null) {
    headers.push(
      "X-RateLimit-Limit-Tokens",
      `${tokens.limit}`,
      "X-RateLimit-Remaining-Tokens",
      `${tokens.remaining}`,
      "X-RateLimit-Reset-Tokens",
      seconds(tokens.resetMs),
    );
  }
  return headers;
}
