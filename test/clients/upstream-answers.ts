// Scripted upstream answers: the same words, calls and counts as a whole reply or as a stream,
// whichever is asked for, with tool calls cut into small pieces as real servers send them.

import type { Behaviour } from "../support/mock-upstream.ts";
import { frames, json } from "../support/mock-upstream-behaviours.ts";

export const USAGE = {
  prompt_tokens: 31,
  completion_tokens: 17,
  total_tokens: 48,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

export type Spoken = {
  readonly thinking?: readonly string[];
  /** Seals the thinking, in the form that keeps signatures. */
  readonly signature?: string;
  readonly pieces?: readonly string[];
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
  }[];
  readonly finish?: string;
};

export const answer = (spoken: Spoken): Behaviour => {
  const whole = json(wholeReply(spoken));
  const stream = frames(...chunks(spoken));
  return (request, response) =>
    request.body.stream === true ? stream(request, response) : whole(request, response);
};

/** One frame of an unfinished stream. */
export const frame = (text: string): string =>
  `data: ${JSON.stringify(chunk({ content: text }))}\n\n`;

function wholeReply({ thinking = [], pieces = [], calls = [], ...rest }: Spoken): object {
  const message = {
    role: "assistant",
    content: pieces.join(""),
    ...thought(thinking.join(""), rest.signature),
    tool_calls: calls.map(({ id, ...called }) => ({ id, type: "function", function: called })),
  };
  const finish_reason = rest.finish ?? defaultFinish(calls);
  return { ...HEAD, choices: [{ index: 0, message, finish_reason }], usage: USAGE };
}

function chunks({ thinking = [], pieces = [], calls = [], ...rest }: Spoken): object[] {
  return [
    chunk({ role: "assistant", content: "" }),
    ...thinking.map((piece) => chunk({ reasoning_content: piece })),
    ...(rest.signature === undefined ? [] : [chunk(thought("", rest.signature))]),
    ...pieces.map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ id, name, arguments: written }, index) => [
      toolCallChunk({ index, id, type: "function", function: { name, arguments: "" } }),
      ...(written.match(/.{1,5}/gsu) ?? []).map((piece) =>
        toolCallChunk({ index, function: { arguments: piece } }),
      ),
    ]),
    chunk({}, rest.finish ?? defaultFinish(calls)),
    { ...HEAD, choices: [], usage: USAGE },
  ];
}

function thought(text: string, signature: string | undefined): object {
  if (signature === undefined) return text === "" ? {} : { reasoning_content: text };
  return { reasoning_details: [{ type: "reasoning.text", text, signature }] };
}

const HEAD = { id: "chatcmpl-upstream", object: "chat.completion", created: 1, model: "upstream" };

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  ...HEAD,
  choices: [{ index: 0, delta, finish_reason }],
});

const toolCallChunk = (call: object): object => chunk({ tool_calls: [call] });

const defaultFinish = (calls: readonly object[]): string =>
  calls.length > 0 ? "tool_calls" : "stop";
