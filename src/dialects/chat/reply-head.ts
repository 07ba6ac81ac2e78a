// The fields that open every chat reply and chunk, as JSON without its end.

import type { ReplyOptions } from "../reply.ts";

const FINGERPRINT = "fp_hearth";

export const replyHead = (
  { id, created, model }: ReplyOptions,
  object: "chat.completion" | "chat.completion.chunk",
): string =>
  `{"id":${JSON.stringify(`chatcmpl-${id}`)},"object":"${object}","created":${created},` +
  `"model":${JSON.stringify(model)},"system_fingerprint":"${FINGERPRINT}",`;
