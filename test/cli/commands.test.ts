// The commands as a script meets them: what they print, what they change, how they end; with
// a server running and without one.

import assert from "node:assert/strict";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { request } from "undici";
import { chat, configFor } from "../support/chat.ts";
import {
  type HearthProgram,
  runHearth,
  spawnHearth,
  temporaryDirectory,
} from "../support/hearth.ts";
import { type MockUpstream, startMockUpstream } from "../support/mock-upstream.ts";

const KEY = /^inf-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let upstream: MockUpstream;
before(async () => {
  upstream = await startMockUpstream();
});
after(() => upstream.close());

describe("with a server running", () => {
  let hearth: HearthProgram;
  before(async () => {
    hearth = await spawnHearth({ config: configFor(upstream.url) });
  });
  after(async () => {
    await hearth.end("SIGTERM");
    await rm(hearth.dataDirectory, { recursive: true });
  });

  const create = async (...words: string[]) => {
    const { stdout, code } = await hearth.command("models", "create", ...words, "--json");
    assert.equal(code, 0);
    return JSON.parse(stdout);
  };

  it("serve says in one line where it is, and what to do next", () => {
    assert.match(hearth.greeting[0] ?? "", /^hearth \S+ is ready at http:\/\/127\.0\.0\.1:\d+ /);
  });

  it("models create gives a resource whose key works at once", async () => {
    const created = await create("my-haiku", "--as", "FIRST");
    assert.deepEqual(Object.keys(created), ["resource", "model", "plan", "alias", "config"]);
    assert.deepEqual(created.config, {
      FIRST_URL: hearth.url,
      FIRST_KEY: created.config.FIRST_KEY,
      FIRST_MODEL_ID: "my-haiku",
    });
    assert.match(created.config.FIRST_KEY, KEY);
    const reply = await chat({ url: hearth.url, key: created.config.FIRST_KEY });
    assert.equal(reply.statusCode, 200);
    await reply.body.dump();
  });

  it("models create --plan standard makes one key for every model, and prints no model id", async () => {
    const created = await create("--plan", "standard", "--as", "ALL");
    assert.deepEqual(Object.keys(created.config), ["ALL_URL", "ALL_KEY"]);
    assert.equal(created.model, null);
    const reply = await chat({ url: hearth.url, key: created.config.ALL_KEY });
    assert.equal(reply.statusCode, 200);
    await reply.body.dump();
  });

  it("env prints every attachment, for a shell and as one flat object", async () => {
    const created = await create("my-haiku", "--as", "SHOWN");
    const flat = JSON.parse((await hearth.command("env", "--json")).stdout);
    assert.equal(flat.SHOWN_KEY, created.config.SHOWN_KEY);
    assert.ok(Object.values(flat).every((value) => typeof value === "string"));
    const shell = (await hearth.command("env")).stdout;
    assert.ok(shell.includes(`export SHOWN_KEY='${created.config.SHOWN_KEY}'\n`));
  });

  it("keys rotate refuses the old key at once and keeps the resource", async () => {
    const created = await create("my-haiku", "--as", "TURNED");
    const rotated = JSON.parse((await hearth.command("keys", "rotate", "TURNED", "--json")).stdout);
    assert.equal(rotated.resource, created.resource);
    const status = async (key: string) => {
      const reply = await chat({ url: hearth.url, key });
      await reply.body.dump();
      return reply.statusCode;
    };
    assert.equal(await status(created.config.TURNED_KEY), 401);
    assert.equal(await status(rotated.config.TURNED_KEY), 200);
  });

  it("models destroy refuses the key at once, by name or by alias", async () => {
    const created = await create("my-haiku", "--as", "DOOMED");
    const { code } = await hearth.command("models", "destroy", created.resource);
    assert.equal(code, 0);
    const reply = await chat({ url: hearth.url, key: created.config.DOOMED_KEY });
    assert.equal(reply.statusCode, 401);
    await reply.body.dump();
    const again = await hearth.command("models", "destroy", "DOOMED");
    assert.equal(again.code, 3);
    assert.match(again.stderr, /no resource "DOOMED"/);
  });

  it("models info shows what a resource has used", async () => {
    const created = await create("my-haiku", "--as", "USED");
    await (await chat({ url: hearth.url, key: created.config.USED_KEY })).body.dump();
    const info = JSON.parse((await hearth.command("models", "info", "USED", "--json")).stdout);
    assert.equal(info.usage.requests, 1);
    assert.ok(info.usage.promptTokens > 0);
    assert.match((await hearth.command("models", "info", "USED")).stdout, /requests +1/);
  });

  it("models list shows models and resources as tables", async () => {
    await create("my-haiku", "--as", "LISTED");
    const { stdout } = await hearth.command("models", "list");
    assert.match(stdout, /^MODEL +KIND +TIER/);
    assert.match(stdout, /my-haiku +chat +small +32768 +4096 +200 +800000 +openai/);
    assert.match(stdout, /LISTED/);
  });

  it("call streams the reply, prints it whole as JSON, and writes it to a file", async () => {
    await create("my-haiku", "--as", "CALLED");
    const ask = ["call", "CALLED", "-p", "Hello from a script"];
    assert.equal((await hearth.command(...ask)).stdout, "Hello from a script\n");
    const whole = JSON.parse((await hearth.command(...ask, "--json")).stdout);
    assert.equal(whole.object, "chat.completion");
    const file = join(hearth.dataDirectory, "reply.txt");
    assert.equal((await hearth.command(...ask, "-o", file)).code, 0);
    assert.equal(await readFile(file, "utf8"), "Hello from a script");
  });

  it("doctor finds everything in order", async () => {
    const { code, stdout } = await hearth.command("doctor");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /server +\S+ runs at/);
    assert.match(stdout, /model my-haiku +\S+ answers/);
  });

  it("a second server on the same data directory is refused with the reason", async () => {
    const config = join(hearth.dataDirectory, "hearth.json");
    const second = await runHearth([
      ...["serve", "--port", "0", "--data", hearth.dataDirectory, "--config", config],
    ]);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /another hearth process/i);
  });

  it("a model or an alias that cannot be had is refused with what to do", async () => {
    const unknown = await hearth.command("models", "create", "no-such-model");
    assert.equal(unknown.code, 3);
    assert.match(unknown.stderr, /no model "no-such-model". Available: my-haiku/);
    const idle = await hearth.command("models", "create", "claude-4-5-sonnet");
    assert.equal(idle.code, 1);
    assert.match(idle.stderr, /add an `engine` for it in hearth\.json/);
    await create("my-haiku", "--as", "TAKEN");
    const taken = await hearth.command("models", "create", "my-haiku", "--as", "TAKEN");
    assert.equal(taken.code, 4);
  });
});

describe("without a server", () => {
  it("resources are made and changed in the data directory itself", async () => {
    const data = await temporaryDirectory();
    const config = join(data, "hearth.json");
    await writeFile(config, JSON.stringify(configFor(upstream.url)));
    const place = ["--data", join(data, "state"), "--config", config];
    const created = await runHearth(["models", "create", "my-haiku", "--json", ...place]);
    const { resource, config: variables } = JSON.parse(created.stdout);
    assert.equal(variables.INFERENCE_URL, "http://127.0.0.1:8080");
    assert.equal((await stat(join(data, "state"))).mode & 0o777, 0o700);
    const call = await runHearth(["call", "INFERENCE", "-p", "hi", ...place]);
    assert.equal(call.code, 5);
    assert.match(call.stderr, /No server runs on .*hearth serve/);
    assert.equal((await runHearth(["models", "destroy", resource, ...place])).code, 0);
    assert.deepEqual(JSON.parse((await runHearth(["env", "--json", ...place])).stdout), {});
    await rm(data, { recursive: true });
  });

  it("doctor names what is wrong and ends with 1", async () => {
    const data = await temporaryDirectory();
    const config = join(data, "hearth.json");
    await mkdir(join(data, "state"), { mode: 0o755 });
    await writeFile(config, JSON.stringify(configFor("http://127.0.0.1:9/v1")));
    const { code, stdout } = await runHearth([
      ...["doctor", "--data", join(data, "state"), "--config", config],
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /cannot be reached \(ECONNREFUSED\): is it running\?/);
    assert.match(stdout, /open to other users: chmod 700/);
    await writeFile(config, '{ "http": { "prt": 1 } }');
    const broken = await runHearth(["doctor", "--data", data, "--config", config, "--json"]);
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /unknown setting prt/);
    await rm(data, { recursive: true });
  });

  it("wrong usage ends with 2 and shows an example", async () => {
    for (const [words, message] of [
      [["dance"], /no command "dance"/],
      [["models"], /Say which: hearth models list, hearth models info/],
      [["models", "info"], /Usage: hearth models info RESOURCE/],
      [["env", "--nope"], /Example: eval/],
      [["models", "create", "m", "--plan", "gold"], /the plans are model and standard/],
      [["env", "--config", "/nonexistent.json"], /does not exist/],
    ] as const) {
      const { code, stderr } = await runHearth(words);
      assert.equal(code, 2, words.join(" "));
      assert.match(stderr, message);
    }
  });

  it("help shows every command, and a command's help an example", async () => {
    const { stdout } = await runHearth(["--help"]);
    for (const name of ["serve", "env", "models create", "keys rotate", "call", "doctor"]) {
      assert.ok(stdout.includes(`hearth ${name}`), name);
    }
    assert.match((await runHearth(["call", "--help"])).stdout, /Example: {2}npx hearth call/);
    assert.match((await runHearth(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

describe("the first start without any configuration", () => {
  it("prints the config variables of a model that runs inside, once, and says that weights come", async () => {
    // Nobody listens there: the weights stay on their way.
    const environment = { ...process.env, npm_config_registry: "http://127.0.0.1:9/" };
    const config = { local: { models: true } };
    const hearth = await spawnHearth({ config, environment });
    const printed = () => hearth.greeting.join("\n");
    await hearth.prints(/are being fetched/);
    assert.match(printed(), /^hearth \S+ is ready at \S+ \(models: 2, resources: 1\)$/m);
    assert.match(printed(), /^INFERENCE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    assert.match(printed(), /^INFERENCE_KEY=inf-/m);
    assert.match(printed(), /^INFERENCE_MODEL_ID=hearth-1-haiku$/m);
    assert.match(printed(), /The weights of hearth-1-haiku are being fetched/);
    const doctor = await hearth.command("doctor");
    assert.equal(doctor.code, 0, doctor.stdout);
    assert.match(doctor.stdout, /model hearth-1-sonnet +runs inside; its weights come with/);
    const { code } = await hearth.end("SIGTERM");
    assert.equal(code, 0);
    const { dataDirectory } = hearth;
    const again = await spawnHearth({ config, dataDirectory, environment });
    await again.prints(/are being fetched/);
    assert.doesNotMatch(again.greeting.join("\n"), /INFERENCE_KEY/);
    await again.end("SIGTERM");
    await rm(dataDirectory, { recursive: true });
  });

  it("doctor says of weights in a file whether they are there", async () => {
    const data = await temporaryDirectory();
    const config = join(data, "hearth.json");
    const model = { engine: { type: "llama", weights: "file:model.gguf" } };
    await writeFile(config, JSON.stringify({ local: { models: false }, models: { own: model } }));
    const examine = () => runHearth(["doctor", "--data", data, "--config", config]);
    const missing = await examine();
    assert.equal(missing.code, 1);
    assert.match(missing.stdout, /model own +file:model\.gguf is not there/);
    await writeFile(join(data, "model.gguf"), "GGUF and more");
    assert.match((await examine()).stdout, /model own +runs inside, on \S+model\.gguf/);
    await rm(data, { recursive: true });
  });
});

describe("the admin door", () => {
  it("is not on the public port", async () => {
    const hearth = await spawnHearth({ config: configFor(upstream.url) });
    for (const path of ["/status", "/env", "/resources"]) {
      const reply = await request(`${hearth.url}${path}`);
      assert.equal(reply.statusCode, 404);
      await reply.body.dump();
    }
    await hearth.end("SIGTERM");
    await rm(hearth.dataDirectory, { recursive: true });
  });

  it("on a port of its own asks for its token", async () => {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const token = "an-admin-token-of-some-length";
    const hearth = await spawnHearth({
      config: configFor(upstream.url, {}, { admin: { port, token } }),
    });
    const ask = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const reply = await request(`http://127.0.0.1:${port}/status`, { headers });
      await reply.body.dump();
      return reply.statusCode;
    };
    assert.equal(await ask(), 401);
    assert.equal(await ask("Bearer wrong"), 401);
    assert.equal(await ask(`Bearer ${token}`), 200);
    await hearth.end("SIGTERM");
    await rm(hearth.dataDirectory, { recursive: true });
  });
});
