// The three majors of the OpenAI library that are in use, each as what the adapter and the
// tests of its helpers call. What they share in words but not in types is written out here.

import OpenAi7 from "openai";
import { zodResponseFormat as zodResponseFormat7 } from "openai/helpers/zod";
import { makeParseableResponseFormat as makeParseable7 } from "openai/lib/parser";
import OpenAi4 from "openai-4";
import { zodResponseFormat as zodResponseFormat4 } from "openai-4/helpers/zod";
import { makeParseableResponseFormat as makeParseable4 } from "openai-4/lib/parser";
import OpenAi5 from "openai-5";
import { zodResponseFormat as zodResponseFormat5 } from "openai-5/helpers/zod";
import { makeParseableResponseFormat as makeParseable5 } from "openai-5/lib/parser";
import type { z } from "zod";
import { runnable, type WeatherTool } from "./openai-runnable.ts";
import type {
  WireBody,
  WireChunk,
  WireCompletion,
  WireReplyMessage,
  WireSchemaFormat,
  WireUsage,
} from "./openai-wire.ts";

export type CallOptions = { readonly signal?: AbortSignal; readonly timeout?: number };

type WithResponse<T> = Promise<{
  readonly data: T;
  readonly response: { readonly headers: { get(name: string): string | null } };
  readonly request_id: string | null | undefined;
}>;

/** What gathers a stream, or runs a loop, and tells the end of it. */
export type Runner = {
  abort(): void;
  finalContent(): Promise<string | null>;
  finalMessage(): Promise<WireReplyMessage>;
  finalChatCompletion(): Promise<WireCompletion>;
  totalUsage(): Promise<WireUsage>;
};

export type StreamRunner = Runner & {
  on(event: "content", listener: (piece: string) => void): unknown;
};

export type MajorClient = {
  create(body: WireBody, options: CallOptions): WithResponse<WireCompletion>;
  createStream(body: WireBody, options: CallOptions): WithResponse<AsyncIterable<WireChunk>>;
  gather(body: WireBody): StreamRunner;
  runTools(body: WireBody, tool: WeatherTool): Runner;
  runToolsStreamed(body: WireBody, tool: WeatherTool): Runner;
  parse(body: WireBody, format: ParsedFormat): Promise<ParsedCompletion>;
  listModels(): Promise<unknown>;
};

/** Only the major that made one can read it. */
export type ParsedFormat = WireSchemaFormat & { __output: unknown; $brand: Brand; $parseRaw: Read };
type Brand = "auto-parseable-response-format";
type Read = (content: string) => unknown;

export type ParsedCompletion = { choices: { message: { parsed: unknown } }[] };

type ErrorClass = abstract new (...args: never[]) => Error;

export type Major = {
  readonly name: string;
  readonly errors: {
    readonly APIError: ErrorClass;
    readonly APIConnectionTimeoutError: ErrorClass;
    readonly AuthenticationError: ErrorClass;
    readonly PermissionDeniedError: ErrorClass;
    readonly NotFoundError: ErrorClass;
    readonly RateLimitError: ErrorClass;
    readonly BadRequestError: ErrorClass;
    readonly InternalServerError: ErrorClass;
  };
  open(options: { baseURL: string; apiKey: string; maxRetries: number }): MajorClient;
  /** A format whose reply is read by that function. */
  readonly formatOf: (format: WireSchemaFormat, read: Read) => ParsedFormat;
  /** The same, out of a Zod schema. */
  readonly formatOfZod: (schema: z.ZodType, name: string) => ParsedFormat;
};

export const openAi4: Major = {
  name: "openai 4",
  errors: OpenAi4,
  formatOf: makeParseable4,
  formatOfZod: zodResponseFormat4,
  open(options) {
    const client = new OpenAi4(options);
    const { completions } = client.chat;
    const beta = client.beta.chat.completions;
    return {
      create: (body, call) => completions.create({ ...body, stream: false }, call).withResponse(),
      createStream: (body, call) =>
        completions.create({ ...body, stream: true }, call).withResponse(),
      gather: (body) => beta.stream(body),
      runTools: (body, tool) => beta.runTools({ ...body, tools: [runnable(tool)] }),
      runToolsStreamed: (body, tool) =>
        beta.runTools({ ...body, stream: true, tools: [runnable(tool)] }),
      parse: (body, format) => beta.parse({ ...body, response_format: format }),
      listModels: async () => client.models.list(),
    };
  },
};

export const openAi5: Major = {
  name: "openai 5",
  errors: OpenAi5,
  formatOf: makeParseable5,
  formatOfZod: zodResponseFormat5,
  open(options) {
    const client = new OpenAi5(options);
    const { completions } = client.chat;
    return {
      create: (body, call) => completions.create({ ...body, stream: false }, call).withResponse(),
      createStream: (body, call) =>
        completions.create({ ...body, stream: true }, call).withResponse(),
      gather: (body) => completions.stream(body),
      runTools: (body, tool) => completions.runTools({ ...body, tools: [runnable(tool)] }),
      runToolsStreamed: (body, tool) =>
        completions.runTools({ ...body, stream: true, tools: [runnable(tool)] }),
      parse: (body, format) => completions.parse({ ...body, response_format: format }),
      listModels: async () => client.models.list(),
    };
  },
};

export const openAi7: Major = {
  name: "openai 7",
  errors: OpenAi7,
  formatOf: makeParseable7,
  formatOfZod: zodResponseFormat7,
  open(options) {
    const client = new OpenAi7(options);
    const { completions } = client.chat;
    return {
      create: (body, call) => completions.create({ ...body, stream: false }, call).withResponse(),
      createStream: (body, call) =>
        completions.create({ ...body, stream: true }, call).withResponse(),
      gather: (body) => completions.stream(body),
      runTools: (body, tool) => completions.runTools({ ...body, tools: [runnable(tool)] }),
      runToolsStreamed: (body, tool) =>
        completions.runTools({ ...body, stream: true, tools: [runnable(tool)] }),
      parse: (body, format) => completions.parse({ ...body, response_format: format }),
      listModels: async () => client.models.list(),
    };
  },
};
