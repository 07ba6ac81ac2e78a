// Cross-origin headers for the origins the operator names; none by default.

const EXPOSED =
  "X-Request-Id, Retry-After, Server-Timing, X-RateLimit-Limit-Requests, X-RateLimit-Remaining-Requests, " +
  "X-RateLimit-Reset-Requests, X-RateLimit-Limit-Tokens, X-RateLimit-Remaining-Tokens, X-RateLimit-Reset-Tokens";

export interface Cors {
  /** Headers for a reply to `origin`: name, value, … Empty when it is not allowed. */
  replyHeaders(origin: string | undefined): readonly string[];
  /** Headers for a preflight request, or undefined when the origin is not allowed. */
  preflightHeaders(origin: string | undefined, methods: string): readonly string[] | undefined;
}

export function createCors(origins: readonly string[]): Cors {
  const all = origins.includes("*");
  const named = new Set(origins);
  const allowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (all || named.has(origin));
  const allow = (origin: string) =>
    all
      ? ["Access-Control-Allow-Origin", "*"]
      : ["Access-Control-Allow-Origin", origin, "Vary", "Origin"];
  return {
    replyHeaders: (origin) =>
      allowed(origin) ? [...allow(origin), "Access-Control-Expose-Headers", EXPOSED] : [],
    preflightHeaders: (origin, methods) =>
      allowed(origin)
        ? [
            ...allow(origin),
            "Access-Control-Allow-Methods",
            methods,
            "Access-Control-Allow-Headers",
            "*, Authorization, Content-Type, X-Api-Key, X-Request-Id",
            "Access-Control-Max-Age",
            "600",
          ]
        : undefined,
  };
}
