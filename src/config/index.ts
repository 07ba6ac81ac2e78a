export {
  type Config,
  ConfigSchema,
  type EngineConfig,
  type ModelConfig,
  type OpenAiEngineConfig,
  type UpstreamConfig,
} from "./schema.ts";
export { parseDuration, parseSize } from "./units.ts";
