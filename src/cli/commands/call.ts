// hearth call: one prompt through the front door, as any client would send it, with the reply
// shown as it comes.

import { writeFile } from "node:fs/promises";
import { styleText } from "node:util";
import { type Command, CommandError, EXIT } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { openRunning } from "../open-admin.ts";

export const callCommand: Command = {
  name: "call",
  summary: "Send a prompt and watch the reply",
  usage: "RESOURCE",
  example: 'npx hearth call INFERENCE -p "Why is the sky blue?"',
  options: {
    prompt: { type: "string", short: "p" },
    system: { type: "string", short: "s" },
    model: { type: "string", short: "m" },
    output: { type: "string", short: "o" },
    json: { type: "boolean" },
  },
  optionHelp: {
    prompt: "What to ask",
    system: "System prompt",
    model: "Model id; needed on the plan standard only",
    output: "Write the reply to this file",
    json: "Print the whole reply as JSON, not streamed",
  },
  words: [1, 1],
  async run(context) {
    const target = await findTarget(context);
    const prompt = context.text("prompt");
    if (prompt === undefined) throw new CommandError('Nothing to ask: add -p "…"', EXIT.usage);
    const system = context.text("system");
    const stream = !context.flag("json");
    const { request } = await import("undici");
    const started = performance.now();
    const reply = await request(`${target.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: target.model,
        stream,
        messages: [
          ...(system === undefined ? [] : [{ role: "system", content: system }]),
          { role: "user", content: prompt },
        ],
      }),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (reply.statusCode !== 200) {
      const { message } = (await reply.body.json()) as { message?: string };
      throw new CommandError(`${reply.statusCode}: ${message ?? "the call failed"}`);
    }
    if (!stream) {
      await deliver(context, `${JSON.stringify(await reply.body.json(), null, 2)}\n`);
      return;
    }
    const shown = context.text("output") === undefined ? context.stdout : undefined;
    const { text, usage } = await readStream(reply.body, (piece) => shown?.write(piece));
    if (shown === undefined) await deliver(context, text);
    else shown.write("\n");
    if (context.stderr.isTTY && usage !== undefined) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      context.stderr.write(
        styleText(
          "dim",
          `${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out, ${seconds} s\n`,
        ),
      );
    }
  },
};

type Target = { readonly url: string; readonly key: string; readonly model: string };

async function findTarget(context: CommandContext): Promise<Target> {
  const [reference = ""] = context.words;
  const admin = await openRunning(context.dataDirectory);
  const [status, resource, variables] = await Promise.all([
    admin.status(),
    admin.info(reference),
    admin.env(),
  ]);
  const key = resource.aliases.map((alias) => variables[`${alias}_KEY`]).find(Boolean);
  if (key === undefined) {
    throw new CommandError(
      `The key of ${resource.name} was not kept. \`hearth keys rotate ${reference}\` makes a new one.`,
    );
  }
  const model = context.text("model") ?? resource.model;
  if (model === null) {
    throw new CommandError(`${resource.name} reaches every model: say which with -m`, EXIT.usage);
  }
  return { url: status.url, key, model };
}

async function deliver(context: CommandContext, text: string): Promise<void> {
  const path = context.text("output");
  if (path === undefined) context.stdout.write(text);
  else await writeFile(path, text);
}

type ChunkUsage = { readonly prompt_tokens: number; readonly completion_tokens: number };
type Chunk = {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly usage?: ChunkUsage;
  readonly error?: { readonly message: string };
};

async function readStream(
  body: AsyncIterable<Buffer>,
  onPiece: (piece: string) => void,
): Promise<{ text: string; usage: ChunkUsage | undefined }> {
  let text = "";
  let usage: ChunkUsage | undefined;
  let done = false;
  let failure: string | undefined;
  const { createParser } = await import("eventsource-parser");
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") {
        done = true;
        return;
      }
      const chunk = JSON.parse(data) as Chunk;
      failure = chunk.error?.message ?? failure;
      usage = chunk.usage ?? usage;
      const piece = chunk.choices?.[0]?.delta?.content ?? "";
      text += piece;
      if (piece !== "") onPiece(piece);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  if (!done) throw new CommandError(`The reply broke off: ${failure ?? "the connection closed"}`);
  return { text, usage };
}
