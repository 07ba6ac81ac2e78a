export type { EngineConfig, LlamaEngineConfig, OpenAiEngineConfig } from "./engine-schema.ts";
export { applyEnvironment, type Environment } from "./environment.ts";
export { ConfigError, type ConfigSource, loadConfig, parseConfig } from "./load-config.ts";
export type { ModelConfig } from "./model-schema.ts";
export { type Config, ConfigSchema, type LocalConfig, type UpstreamConfig } from "./schema.ts";
export { parseDuration, parseSize } from "./units.ts";
