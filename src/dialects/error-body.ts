// An error as every route but the message-style one writes it. `message` stands at the top
// level too: one published client reads only that one.

import { type Static, Type } from "typebox";
import type { ServiceError } from "../call/index.ts";

export const ErrorSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: "The status of the reply." }),
      message: Type.String({ description: "What is wrong and what would be right." }),
      type: Type.Enum([
        "invalid_request_error",
        "authentication_error",
        "authorization_error",
        "not_found_error",
        "rate_limit_error",
        "server_error",
        "overloaded_error",
        "timeout_error",
      ]),
      request_id: Type.String({ description: "To be quoted when asking for help." }),
    }),
    message: Type.String({ description: "The same message again." }),
  },
  { description: "An error reply." },
);

type ErrorBody = Static<typeof ErrorSchema>;

export function renderError(error: ServiceError, requestId: string): string {
  const body: ErrorBody = { error: errorObject(error, requestId), message: error.message };
  return JSON.stringify(body);
}

/** The inner object alone: what a stream that fails after its first byte sends. */
export const errorObject = (error: ServiceError, requestId: string): ErrorBody["error"] => ({
  code: error.status,
  message: error.message,
  type: error.type,
  request_id: requestId,
});
