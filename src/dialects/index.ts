export { createChatBody } from "./chat/chat-body.ts";
export { createChatStream } from "./chat/chat-stream.ts";
export { parseChatRequest } from "./chat/parse-chat-request.ts";
export { ChatChunkSchema, ChatReplySchema } from "./chat/reply-schema.ts";
export { type ChatRequest, ChatRequestSchema } from "./chat/request-schema.ts";
export { type CallContext, type ChatCall, toCall } from "./chat/to-call.ts";
export { ErrorSchema, renderError } from "./error-body.ts";
export type { BodyRenderer, ReplyOptions, StreamRenderer } from "./reply.ts";
export { compileRequest } from "./schema-error.ts";
