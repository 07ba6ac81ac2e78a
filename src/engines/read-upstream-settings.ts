// The `upstream` section with its durations and sizes as numbers, read once at start.

import { parseDuration, parseSize, type UpstreamConfig } from "../config/index.ts";

export type UpstreamSettings = {
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly connections: number;
  readonly maxQueue: number;
  readonly attempts: number;
  readonly retryDelayMs: number;
  readonly retryLimitMs: number;
  readonly breakerFailures: number;
  readonly breakerCooldownMs: number;
  readonly breakerCooldownLimitMs: number;
  readonly maxReplyBytes: number;
};

export function readUpstreamSettings(config: UpstreamConfig): UpstreamSettings {
  return {
    connectTimeoutMs: parseDuration(config.connect_timeout),
    firstByteTimeoutMs: parseDuration(config.first_byte_timeout),
    idleTimeoutMs: parseDuration(config.idle_timeout),
    connections: config.connections,
    maxQueue: config.max_queue,
    attempts: config.attempts,
    retryDelayMs: parseDuration(config.retry_delay),
    retryLimitMs: parseDuration(config.retry_limit),
    breakerFailures: config.breaker_failures,
    breakerCooldownMs: parseDuration(config.breaker_cooldown),
    breakerCooldownLimitMs: parseDuration(config.breaker_cooldown_limit),
    maxReplyBytes: parseSize(config.max_reply),
  };
}
