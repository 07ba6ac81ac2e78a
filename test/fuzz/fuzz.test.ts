// A hundred thousand wrong requests over every route of a running server: each gets an answer
// that says what is wrong, none a 5xx, and the server is as it was when they are over.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { type Dispatcher, Pool, request } from "undici";
import { type HearthProgram, spawnHearth } from "../support/hearth.ts";
import { type MockUpstream, startMockUpstream } from "../support/mock-upstream.ts";
import { openRaw } from "../support/raw-connection.ts";
import { damageText, mutateValue } from "./mutate-json.ts";
import { Random } from "./random.ts";

const REQUESTS = 100_000;
const RAW_REQUESTS = 2_000;
const SAMPLE_EVERY = 500;
const CONNECTIONS = 32;
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115);

const ROUTES: readonly (readonly [Dispatcher.HttpMethod, string])[] = [
  ["POST", "/v1/messages"],
  ["POST", "/v1/messages/count_tokens"],
  ["POST", "/v1/embeddings"],
  ["POST", "/v1/images/generations"],
  ["POST", "/v1/rerank"],
  ["POST", "/v2/rerank"],
  ["POST", "/v1/agents/hearth"],
  ["GET", "/v1/mcp/servers"],
  ["GET", "/available-models"],
  ["GET", "/livez"],
  ["GET", "/v1/models"],
  ["POST", "/v1/moderations"],
  ["POST", "/v1/nothing"],
];
const METHODS: readonly Dispatcher.HttpMethod[] = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
];
const CHAT = "/v1/chat/completions";

const WHOLE_REQUEST = {
  model: "my-haiku",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Hello" }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: "2" },
  ],
  max_completion_tokens: 16,
  temperature: 0.5,
  top_p: 0.9,
  stream: false,
  stop: ["END"],
  tools: [
    {
      type: "function",
      function: {
        name: "f",
        description: "adds",
        parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
      },
    },
  ],
  tool_choice: "auto",
  response_format: { type: "text" },
  extended_thinking: { enabled: false, budget_tokens: 1024, include_reasoning: true },
  allow_ignored_params: false,
};

describe(`fuzz (seed ${SEED})`, () => {
  let upstream: MockUpstream;
  let hearth: HearthProgram;
  let key: string;
  before(async () => {
    upstream = await startMockUpstream({ record: false });
    const engine = { type: "openai", base_url: upstream.url };
    hearth = await spawnHearth({
      // A small heap is collected often, and a leak fills it.
      nodeArguments: ["--max-old-space-size=80"],
      config: {
        log: { level: "error" },
        models: { "my-haiku": { engine, limits: { requests: null, tokens: null } } },
      },
    });
    const created = await hearth.command("models", "create", "my-haiku", "--json");
    key = JSON.parse(created.stdout).config.INFERENCE_KEY;
  });
  after(async () => {
    assert.deepEqual(await hearth.end("SIGTERM"), { code: 0, signal: null });
    await rm(hearth.dataDirectory, { recursive: true });
    await upstream.close();
  });

  const wrongRequest = (random: Random): Dispatcher.RequestOptions => {
    const chat = random.chance(0.7);
    const [usual, path] = chat ? (["POST", CHAT] as const) : random.pick(ROUTES);
    const method = random.chance(0.03) ? random.pick(METHODS) : usual;
    const value = mutateValue(WHOLE_REQUEST, random);
    const text = JSON.stringify(random.chance(0.5) ? mutateValue(value, random) : value) ?? "";
    const headers: Record<string, string> = {
      authorization: random.chance(0.95) ? `Bearer ${key}` : `Bearer ${key.slice(random.below(9))}`,
      "content-type": random.chance(0.97) ? "application/json" : "text/plain",
    };
    if (random.chance(0.05)) headers["x-request-id"] = "x".repeat(random.below(400));
    const body = random.chance(0.15) ? damageText(text, random) : text;
    return { path, method, headers, ...(method === "GET" ? {} : { body }) };
  };

  it(`of ${REQUESTS} requests: no 5xx, and every 4xx says what is wrong`, async () => {
    const random = new Random(SEED);
    const pool = new Pool(hearth.url, { connections: CONNECTIONS });
    const statuses = new Map<number, number>();
    const retained: number[] = [];
    let sent = 0;
    const worker = async () => {
      while (sent < REQUESTS) {
        sent += 1;
        if (sent % SAMPLE_EVERY === 0) retained.push(await oldSpaceBytes(hearth.url));
        const options = wrongRequest(random);
        const reply = await pool.request(options);
        const text = await reply.body.text();
        statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1);
        checkAnswer(reply.statusCode, text, options);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    await pool.close();
    console.log(`answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
    assert.equal(hearth.process.exitCode, null);
    assert.doesNotMatch(hearth.logs(), /a handler failed/);
    assert.ok(
      (statuses.get(200) ?? 0) > 1000,
      "some requests survive mutation and reach the engine",
    );
    // The floor between collections is what is really kept; a leak raises it.
    const half = retained.length / 2;
    const early = Math.min(...retained.slice(half / 4, half));
    const late = Math.min(...retained.slice(half));
    const grown = ((late - early) / 2 ** 20).toFixed(1);
    console.log(`the heap's floor moved by ${grown} MiB over ${REQUESTS} requests`);
    assert.ok(Number(grown) < 8, `the heap's floor rose by ${grown} MiB`);
  });

  it(`of ${RAW_REQUESTS} broken byte sequences: a 4xx or a closed connection`, async () => {
    const random = new Random(SEED + 1);
    const port = Number(new URL(hearth.url).port);
    const body = JSON.stringify(WHOLE_REQUEST);
    const whole =
      `POST ${CHAT} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    for (let n = 0; n < RAW_REQUESTS; n++) {
      const raw = await openRaw(port);
      raw.send(damageText(whole, random));
      raw.socket.end();
      const answer = await raw.closed();
      assert.doesNotMatch(answer, /^HTTP\/1\.1 5(?!01)/, answer.slice(0, 300));
    }
    assert.equal((await request(`${hearth.url}/livez`)).statusCode, 200);
  });
});

function checkAnswer(status: number, text: string, options: Dispatcher.RequestOptions): void {
  if (status < 400) return;
  const asked = () => `${options.method} ${options.path} ${String(options.body).slice(0, 2000)}`;
  assert.ok(status < 500 || status === 501, `${status} ${text} for ${asked()}`);
  const answer = JSON.parse(text) as { error?: { message?: string; code?: number } };
  assert.equal(answer.error?.code, status, asked());
  assert.ok((answer.error?.message ?? "").length > 5, `${text} for ${asked()}`);
  assert.doesNotMatch(text, /\bat .+\.[jt]s:\d+|node_modules/, asked());
}

async function oldSpaceBytes(url: string): Promise<number> {
  const text = await (await request(`${url}/metrics`)).body.text();
  return Number(/^nodejs_heap_space_size_used_bytes\{space="old"\} (\S+)/m.exec(text)?.[1]);
}
