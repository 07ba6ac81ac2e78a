// The one class of error that reaches a caller. Whoever finds the problem says what it is
// and what to do about it; each dialect renders it in its own shape.

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "authorization_error"
  | "not_found_error"
  | "rate_limit_error"
  | "server_error"
  | "overloaded_error"
  | "timeout_error";

export type ServiceErrorOptions = {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  /** The same request may succeed later, or on another target. */
  readonly retryable?: boolean;
  /** Seconds after which a retry makes sense, where known. */
  readonly retryAfterSeconds?: number;
  /** Further reply headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

export class ServiceError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(options: ServiceErrorOptions) {
    // A refusal is an answer, not a fault: a stack trace would cost more than the refusal, and
    // whoever sends bad requests in bulk would choose to have it made.
    const { stackTraceLimit } = Error;
    if (options.status < 500) Error.stackTraceLimit = 0;
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "ServiceError";
    this.status = options.status;
    this.type = options.type;
    this.retryable = options.retryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

export const invalidRequest = (message: string): ServiceError =>
  new ServiceError({ status: 400, type: "invalid_request_error", message });

export const notFound = (message: string): ServiceError =>
  new ServiceError({ status: 404, type: "not_found_error", message });

export const overloaded = (message: string, retryAfterSeconds = 1): ServiceError =>
  new ServiceError({
    status: 503,
    type: "overloaded_error",
    message,
    retryable: true,
    retryAfterSeconds,
  });

export const serverError = (message: string, cause?: unknown): ServiceError =>
  new ServiceError({ status: 500, type: "server_error", message, cause });

/** The engine or vendor behind a model failed, not Hearth: 502. */
export const upstreamFailed = (message: string, cause?: unknown): ServiceError =>
  new ServiceError({ status: 502, type: "server_error", message, retryable: true, cause });

export const timedOut = (message: string): ServiceError =>
  new ServiceError({ status: 504, type: "timeout_error", message, retryable: true });
