// A target that speaks the OpenAI chat convention over pooled keep-alive connections.

import { Pool } from "undici";
import type { Call } from "../../call/index.ts";
import type { OpenAiEngineConfig } from "../../config/index.ts";
import type { Clock } from "../clock.ts";
import type { UpstreamSettings } from "../read-upstream-settings.ts";
import type { Target } from "../target.ts";
import { ChatExchange } from "./chat-exchange.ts";
import { convertToChatBody, createChatBodyProfile } from "./convert-to-chat-body.ts";
import { createErrorMapper } from "./map-upstream-error.ts";
import { ProbeExchange } from "./probe-exchange.ts";

export type OpenAiTargetOptions = {
  readonly engine: OpenAiEngineConfig;
  /** The public id, which is the upstream's name too unless the engine says another. */
  readonly modelId: string;
  readonly settings: UpstreamSettings;
  readonly clock: Clock;
  readonly createId: () => string;
};

// Shorter than the five seconds after which uvicorn, under vLLM and SGLang, closes an idle
// connection without having announced it.
const KEEP_ALIVE_MS = 4000;

export function createOpenAiTarget(options: OpenAiTargetOptions): Target {
  const { engine, settings, clock, createId } = options;
  const address = new URL(engine.base_url);
  const basePath = address.pathname.replace(/\/+$/, "");
  const profile = createChatBodyProfile(engine, options.modelId);
  const headers = createHeaders(engine);
  const errors = createErrorMapper(listSecrets(engine));
  const connections = engine.connections ?? settings.connections;

  const pool = new Pool(address.origin, {
    connections,
    connect: { timeout: settings.connectTimeoutMs },
    headersTimeout: settings.firstByteTimeoutMs,
    bodyTimeout: settings.idleTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  // A new connection announces itself right before its first request is written.
  let connected = false;
  pool.on("connect", () => {
    connected = true;
  });
  const isReusedConnection = (): boolean => {
    const reused = !connected;
    connected = false;
    return reused;
  };

  return {
    name: `${address.host}/${profile.model}`,
    weight: engine.weight ?? 1,
    connections,

    async attempt(call, sink, signal) {
      const body = convertToChatBody(call, profile);
      const send = (): ChatExchange => {
        signal.throwIfAborted();
        const exchange = new ChatExchange({
          call,
          sink,
          signal,
          maxReplyBytes: settings.maxReplyBytes,
          errors,
          createId,
          now: clock.now,
          isReusedConnection,
        });
        pool.dispatch(
          {
            method: "POST",
            path: `${basePath}/chat/completions`,
            headers: requestHeaders(headers, call),
            body,
          },
          exchange,
        );
        return exchange;
      };
      const exchange = send();
      const failure = await exchange.outcome;
      // The peer had closed an idle connection: nobody saw the request, so it goes again.
      return exchange.brokenBeforeReply ? send().outcome : failure;
    },

    probe() {
      const exchange = new ProbeExchange(isReusedConnection);
      pool.dispatch(
        {
          method: "GET",
          path: `${basePath}/models`,
          headers: [...headers],
          headersTimeout: settings.connectTimeoutMs,
        },
        exchange,
      );
      return exchange.alive;
    },

    async close() {
      await pool.destroy();
    },
  };
}

function createHeaders(engine: OpenAiEngineConfig): readonly string[] {
  const headers = new Map([["user-agent", "hearth"]]);
  if (engine.api_key !== undefined) headers.set("authorization", `Bearer ${engine.api_key}`);
  for (const [name, value] of Object.entries(engine.headers ?? {})) {
    headers.set(name.toLowerCase(), value);
  }
  return [...headers].flat();
}

/** Headers may carry a vendor's key as well; short values are no secrets but common words. */
function listSecrets(engine: OpenAiEngineConfig): readonly string[] {
  const secrets = Object.values(engine.headers ?? {}).filter((value) => value.length >= 8);
  return engine.api_key ? [engine.api_key, ...secrets] : secrets;
}

function requestHeaders(constant: readonly string[], { id, traceparent }: Call): string[] {
  const headers = [...constant, "content-type", "application/json", "x-request-id", id];
  if (traceparent !== undefined) headers.push("traceparent", traceparent);
  return headers;
}
