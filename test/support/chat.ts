// Chat requests for tests that care about what happens around them, not about a client.

import { type Dispatcher, request } from "undici";

export type ChatTarget = { readonly url: string; readonly key: string; readonly model?: string };

export type ChatOptions = {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly dispatcher?: Dispatcher;
};

export function chat(
  { url, key, model = "my-haiku" }: ChatTarget,
  { body = {}, headers = {}, signal, dispatcher }: ChatOptions = {},
): Promise<Dispatcher.ResponseData> {
  return request(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: "Hello there" }],
      max_completion_tokens: 16,
      ...body,
    }),
    ...(signal === undefined ? {} : { signal }),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
}

/** The data of each frame of a stream, `[DONE]` included. */
export const framesOf = (text: string): string[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => frame.replace(/^event: .*\n/, "").replace(/^data: /, ""));

/** hearth.json with one small chat model on an OpenAI-compatible upstream. */
export const configFor = (
  upstreamUrl: string,
  model: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  ...more,
  models: {
    "my-haiku": {
      engine: { type: "openai", base_url: upstreamUrl, model: "mock-model" },
      ...model,
    },
  },
});
