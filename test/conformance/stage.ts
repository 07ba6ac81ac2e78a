// A whole service in front of a mock upstream, with the models of the specification and keys
// for them, spoken to over HTTP. Whatever comes back is checked against the published schemas.

import assert from "node:assert/strict";
import type { Static } from "typebox";
import { Compile } from "typebox/compile";
import { request } from "undici";
import { ChatChunkSchema, ChatReplySchema, ErrorSchema } from "../../src/dialects/index.ts";
import { startHearth, type TestConfig, type TestHearth } from "../support/hearth.ts";
import { type MockUpstream, startMockUpstream } from "../support/mock-upstream.ts";

export const SMALL = "claude-3-5-haiku";
export const MID = "claude-4-5-sonnet";
export const THINKING = "claude-4-sonnet";
export const OLDER_THINKING = "claude-3-7-sonnet";
export const IMAGE = "stable-image-ultra";
export const EMBEDDING = "cohere-embed-multilingual";
export const RERANK = "cohere-rerank-3-5";

export const CHAT = "/v1/chat/completions";
export const hello = { role: "user", content: "Hello there" } as const;

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

export type Sending = {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE" | "HEAD" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type ChatSending = { readonly model?: string; readonly headers?: Sending["headers"] };

export type Stage = {
  readonly upstream: MockUpstream;
  readonly hearth: TestHearth;
  /** The key of a resource made for that model; always the same one. */
  key(model: string): Promise<string>;
  send(path: string, sending?: Sending): Promise<Answer>;
  /** A good chat request with these fields laid over it, under the model's own key. */
  chat(fields?: object, sending?: ChatSending): Promise<Answer>;
  /** The body that the upstream got last. */
  lastSent(): Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
};

/** `models` of the configuration are laid over the ones that run on the mock upstream. */
export async function openStage(config: TestConfig = {}): Promise<Stage> {
  const upstream = await startMockUpstream();
  const engine = { type: "openai", base_url: upstream.url };
  const ids = [SMALL, MID, THINKING, OLDER_THINKING, IMAGE, EMBEDDING, RERANK];
  const own = Object.entries(config.models ?? {});
  const models = Object.fromEntries([
    ...ids.map((id) => [id, { engine }]),
    ...own.map(([id, model]) => [id, { engine, ...model }]),
  ]);
  const hearth = await startHearth({ ...config, models });
  const keys = new Map<string, Promise<string>>();
  const key = (model: string): Promise<string> => {
    const known = keys.get(model) ?? hearth.key(model);
    keys.set(model, known);
    return known;
  };
  const send = async (path: string, sending: Sending = {}): Promise<Answer> => {
    const { method = "GET", headers = {}, body } = sending;
    const reply = await request(hearth.url + path, { method, headers, body: body ?? null });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
  };
  return {
    upstream,
    hearth,
    key,
    send,
    async chat(fields = {}, { model = SMALL, headers = {} } = {}) {
      return send(CHAT, {
        method: "POST",
        headers: { ...bearer(await key(model)), ...JSON_TYPE, ...headers },
        body: JSON.stringify({ model, messages: [hello], ...fields }),
      });
    },
    lastSent: () => upstream.requests.at(-1)?.body ?? {},
    async stop() {
      await hearth.stop();
      await upstream.close();
    },
  };
}

export const JSON_TYPE = { "content-type": "application/json" } as const;
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const reply = Compile(ChatReplySchema);
const chunk = Compile(ChatChunkSchema);
const error = Compile(ErrorSchema);

export type Reply = Static<typeof ChatReplySchema>;
export type Chunk = Static<typeof ChatChunkSchema>;

/** The completion in a reply that must be a good one. */
export function replyOf(answer: Answer): Reply {
  assert.equal(answer.status, 200, answer.text);
  const value: unknown = JSON.parse(answer.text);
  if (!reply.Check(value)) throw new Error(`no chat completion: ${answer.text}`);
  return value;
}

/** The chunks of a stream that must be a whole one. */
export function chunksOf(answer: Answer): Chunk[] {
  assert.equal(answer.status, 200, answer.text);
  const frames = answer.text.split("\n\n");
  assert.deepEqual(frames.slice(-2), ["event: done\ndata: [DONE]", ""]);
  return frames.slice(0, -2).map((frame) => {
    const value: unknown = JSON.parse(frame.replace(/^data: /, ""));
    if (!chunk.Check(value)) throw new Error(`no chunk: ${frame}`);
    return value;
  });
}

/** The error in a reply that must be one, whose request id is also in its header. */
export function errorOf({ status, headers, text }: Answer): Static<typeof ErrorSchema>["error"] {
  const value: unknown = JSON.parse(text);
  if (!error.Check(value)) throw new Error(`no error body: ${text}`);
  assert.equal(value.error.code, status);
  assert.equal(value.message, value.error.message);
  assert.notEqual(value.error.request_id, "");
  assert.equal(value.error.request_id, headers["x-request-id"]);
  return value.error;
}

export function assertRefused(answer: Answer, message: string): void {
  const { code, type, message: said } = errorOf(answer);
  assert.deepEqual([code, type, said], [400, "invalid_request_error", message]);
}
