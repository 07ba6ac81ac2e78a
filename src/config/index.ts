export { applyEnvironment, type Environment } from "./environment.ts";
export { ConfigError, type ConfigSource, loadConfig, parseConfig } from "./load-config.ts";
export {
  type Config,
  ConfigSchema,
  type EngineConfig,
  type ModelConfig,
  type OpenAiEngineConfig,
  type UpstreamConfig,
} from "./schema.ts";
export { parseDuration, parseSize } from "./units.ts";
