// How long an upstream asks us to stay away: `retry-after-ms` of some vendors, or
// `Retry-After` in seconds or as an HTTP date. Undefined when it says nothing usable.

const DAY_SECONDS = 86_400;

export type ReplyHeaders = { readonly [name: string]: string | string[] | undefined };

export function readRetryAfter(headers: ReplyHeaders, now: number): number | undefined {
  const milliseconds = readNumber(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return bounded(milliseconds / 1000);
  const value = first(headers["retry-after"]);
  if (value === undefined) return undefined;
  const seconds = readNumber(value);
  if (seconds !== undefined) return bounded(seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : bounded((date - now) / 1000);
}

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

function readNumber(value: string | string[] | undefined): number | undefined {
  const text = first(value)?.trim();
  return text !== undefined && /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const bounded = (seconds: number): number => Math.min(Math.max(seconds, 0), DAY_SECONDS);
