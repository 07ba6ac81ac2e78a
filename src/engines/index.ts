export { type Clock, systemClock } from "./clock.ts";
export { type ChatEngineOptions, createChatEngine } from "./create-chat-engine.ts";
export type { ChatEngine, TargetStatus } from "./engine.ts";
export {
  createLlamaEngines,
  type LlamaEngines,
  type LlamaEnginesOptions,
  type LlamaReading,
} from "./llama/llama-engines.ts";
