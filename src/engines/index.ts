export { type Clock, systemClock } from "./clock.ts";
export { type ChatEngineOptions, createChatEngine } from "./create-chat-engine.ts";
export type { ChatEngine, TargetStatus } from "./engine.ts";
