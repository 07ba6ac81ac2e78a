// Every setting of hearth.json with its meaning and default. `hearth.schema.json` is
// generated from here, and the file that the operator wrote is checked against it at start.

import { type Static, type TObject, type TProperties, Type } from "typebox";
import { MODEL_ID, ModelSchema } from "./model-schema.ts";
import { Duration, SIZE, Size } from "./units.ts";

const closed = <P extends TProperties>(properties: P, description: string): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, description, default: {} });

const Flag = (description: string, fallback: boolean) =>
  Type.Boolean({ description, default: fallback });

const Count = (description: string, fallback: number, minimum = 1) =>
  Type.Integer({ minimum, description, default: fallback });

export const ConfigSchema = closed(
  {
    $schema: Type.Optional(
      Type.String({ description: "The published schema of this file, for editors." }),
    ),
    operator: closed(
      {
        name: Type.String({
          pattern: "^[a-z][a-z0-9-]{0,31}$",
          description:
            "The middle of X-<Operator>-Prompt-Caching and the end of /v1/agents/<operator>.",
          default: "hearth",
        }),
        aliases: Type.Array(Type.String({ pattern: "^[a-z][a-z0-9-]{0,31}$" }), {
          description: "Further names accepted in the same places.",
          default: ["service", "heroku"],
        }),
      },
      "Whose service this is.",
    ),
    http: closed(
      {
        host: Type.String({ description: "Address to listen on.", default: "127.0.0.1" }),
        port: Type.Integer({
          minimum: 0,
          maximum: 65_535,
          description: "0 takes a free port.",
          default: 8080,
        }),
        public_url: Type.Union([Type.String({ pattern: "^https?://" }), Type.Null()], {
          description:
            "The address callers use, for <ALIAS>_URL; default: where the server listens.",
          default: null,
        }),
        body_limit: Size("Largest request body.", "32MiB"),
        header_timeout: Duration("Longest wait for a request's headers.", "20s"),
        body_timeout: Duration("Longest wait for a whole request body.", "60s"),
        keep_alive_timeout: Duration("How long an idle connection stays open.", "65s"),
        write_timeout: Duration(
          "How long a reply may stand still because its reader does.",
          "120s",
        ),
        cors_origins: Type.Array(Type.String(), {
          description: 'Origins that browsers may call from; ["*"] for all, [] for none.',
          default: [],
        }),
        ping_interval: Duration("Silence after which a stream sends a keep-alive comment.", "15s"),
        max_connections: Count("Most connections at once.", 20_000),
      },
      "The public door.",
    ),
    shutdown: closed(
      {
        drain: Duration("How long /readyz says 503 before new connections are refused.", "0s"),
        grace: Duration("How long running requests may finish after that.", "30s"),
      },
      "What SIGTERM does.",
    ),
    upstream: closed(
      {
        connect_timeout: Duration("Longest wait for a connection.", "5s"),
        first_byte_timeout: Duration("Longest wait for the first byte of a reply.", "10m"),
        idle_timeout: Duration("Longest silence inside a reply.", "5m"),
        connections: Count("Most connections kept to one target.", 256),
        max_queue: Count(
          "Most calls waiting for a connection to one target; more get 503.",
          1024,
          0,
        ),
        attempts: Count("Most tries for one call over all targets, the first included.", 3),
        retry_delay: Duration("Wait before the first retry; doubles, with jitter.", "100ms"),
        retry_limit: Duration(
          "Longest total wait between tries; a longer Retry-After fails over.",
          "5s",
        ),
        breaker_failures: Count("Failures in a row that take a target out.", 5),
        breaker_cooldown: Duration(
          "Pause before a target that was taken out is probed; doubles.",
          "2s",
        ),
        breaker_cooldown_limit: Duration("Longest such pause.", "60s"),
        max_reply: Size(
          "Largest reply, or single stream frame, accepted from an upstream.",
          "64MiB",
        ),
      },
      "How engines behind HTTP are spoken to.",
    ),
    local: closed(
      {
        models: Flag(
          "Offer the built-in models that run inside. Off: a pure gateway, which fetches no weights.",
          true,
        ),
        memory: Type.Union([Type.String({ pattern: SIZE.source }), Type.Null()], {
          description:
            "Most memory that they may take together; idle ones are unloaded to make room. null: no bound.",
          default: null,
        }),
        weights_wait: Duration(
          "How long a call waits while weights are being fetched; then it gets 503 with the progress.",
          "20s",
        ),
        load_timeout: Duration("Longest time a model may take to load.", "5m"),
        stop_timeout: Duration(
          "How long a model's process may take to end before it is killed.",
          "5s",
        ),
        heartbeat: Duration("How often a model's process is asked for a sign of life.", "5s"),
        heartbeat_limit: Duration("Silence after which it is killed and started again.", "60s"),
        prompt_cache: Size("Most disk and memory for the kept prompts of one model.", "1GiB"),
        prompt_cache_idle: Duration("A kept prompt that nobody used for so long is dropped.", "5m"),
      },
      "Models that run inside, each in a process of its own.",
    ),
    store: closed(
      {
        url: Type.String({
          pattern: "^file:",
          description: "file:<folder>; empty folder: the data directory.",
          default: "file:",
        }),
        keep_config_variables: Flag(
          "Keep the config variables, keys included, in a private file of the data directory, so that `hearth env` can print them. Off: a key is shown once, at creation.",
          true,
        ),
        ledger_flush: Duration(
          "Longest time an entry stays in the journal before the database.",
          "250ms",
        ),
        ledger_journal_limit: Size("Most journal kept while the database is away.", "1GiB"),
      },
      "Where resources and the ledger live.",
    ),
    shared_state: closed(
      {
        url: Type.String({ pattern: "^memory:$", description: "memory:", default: "memory:" }),
      },
      "Where the sliding minute lives.",
    ),
    admin: closed(
      {
        socket: Flag("Listen for the command line on a socket in the data directory.", true),
        port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Null()], {
          description: "Listen for admin requests over HTTP as well; needs a token.",
          default: null,
        }),
        host: Type.String({ description: "Address of that port.", default: "127.0.0.1" }),
        token: Type.Union([Type.String({ minLength: 16 }), Type.Null()], {
          description: "Bearer token of that port.",
          default: null,
        }),
      },
      "The admin door: never on the public port.",
    ),
    log: closed(
      {
        level: Type.Union(
          ["silent", "error", "warn", "info", "debug"].map((level) => Type.Literal(level)),
          {
            description: "info: one line a request. Bodies and keys are never logged.",
            default: "info",
          },
        ),
      },
      "Logs: JSON lines on standard error.",
    ),
    metrics: closed(
      {
        token: Type.Union([Type.String({ minLength: 16 }), Type.Null()], {
          description: "Bearer token that /metrics asks for; null: none.",
          default: null,
        }),
      },
      "Prometheus text at /metrics.",
    ),
    tracing: closed(
      {
        otlp_endpoint: Type.Union([Type.String({ pattern: "^https?://" }), Type.Null()], {
          description:
            "OpenTelemetry collector, such as http://127.0.0.1:4318; default: OTEL_EXPORTER_OTLP_ENDPOINT.",
          default: null,
        }),
        sample_ratio: Type.Number({
          minimum: 0,
          maximum: 1,
          description: "Share of requests traced when the caller does not decide.",
          default: 1,
        }),
      },
      "Traces with gen_ai attributes.",
    ),
    models: Type.Record(Type.String({ pattern: MODEL_ID.source }), ModelSchema, {
      description:
        "Models by id: added to the built-in catalog, or laid over its entry of that id.",
      default: {},
    }),
    mcp: Type.Record(Type.String(), Type.Unknown(), {
      description: "MCP tool servers by namespace.",
      default: {},
    }),
  },
  "Hearth's configuration.",
);

export type Config = Static<typeof ConfigSchema>;
export type LocalConfig = Config["local"];
export type UpstreamConfig = Config["upstream"];
