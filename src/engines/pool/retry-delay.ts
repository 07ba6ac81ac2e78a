// How long to wait before the same target is tried again. Back-off doubles and has jitter,
// so that calls that failed together do not return together; what the upstream asks for in
// Retry-After is waited out in full, with the jitter on top.

export type RetryDelayOptions = {
  readonly baseMs: number;
  /** Waits of this call before this one. */
  readonly earlier: number;
  readonly retryAfterSeconds: number | undefined;
  readonly random: () => number;
};

export function retryDelay(options: RetryDelayOptions): number {
  const { baseMs, earlier, retryAfterSeconds, random } = options;
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + baseMs * random();
  return baseMs * 2 ** earlier * (0.5 + 0.5 * random());
}
