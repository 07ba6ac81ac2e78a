// The README, done as a stranger would do it: its configuration, its commands and its program,
// in its order, against an engine at the address it names. Only that address is changed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../../src/config/index.ts";
import { temporaryDirectory } from "../support/hearth.ts";
import { startMockUpstream } from "../support/mock-upstream.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

type Block = { readonly language: string; readonly text: string };

async function readBlocks(): Promise<Block[]> {
  const text = await readFile(join(ROOT, "README.md"), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", body = ""]) => ({
    language,
    text: body,
  }));
}

async function run(command: string, words: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(command, words, { cwd: ROOT, env: environment });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

describe("the README", () => {
  it("sets up and tests with the commands that continuous integration runs", async () => {
    const [setUp] = await readBlocks();
    assert.equal(setUp?.text, "npm install\nnpm start\n");
    const blocks = await readBlocks();
    assert.equal(blocks.at(-1)?.text, "npm test\n");
    const ci = await readFile(join(ROOT, ".ci/run"), "utf8");
    assert.match(ci, /^npm install$/m);
    assert.match(ci, /^npm test$/m);
  });

  it("shows configuration that is valid", async () => {
    const configurations = (await readBlocks()).filter(({ language }) => language === "json");
    assert.equal(configurations.length, 2);
    for (const { text } of configurations) parseConfig(text, "README.md", {});
  });

  it("leads from `npm start` to an answer, command by command", async () => {
    const upstream = await startMockUpstream();
    const data = await temporaryDirectory();
    const programs = join(ROOT, "node_modules/.cache/hearth-readme");
    await mkdir(programs, { recursive: true });
    const blocks = (await readBlocks()).slice(1, -1);
    const configuration = blocks.find(({ language }) => language === "json")?.text ?? "";
    const config = join(data, "hearth.json");
    await writeFile(config, configuration.replace("http://127.0.0.1:11434/v1", upstream.url));
    const environment = {
      ...process.env,
      PORT: "0",
      HEARTH_DATA: join(data, "state"),
      HEARTH_CONFIG: config,
    };
    const built = await run("npm", ["run", "build"], environment);
    assert.equal(built.code, 0, built.output);
    const server = spawn("npm", ["start"], { cwd: ROOT, env: environment, detached: true });
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: server.stdout }).on("line", (line) => {
        if (line.includes(" is ready at ")) resolve();
      });
      server.once("exit", (code) => reject(new Error(`npm start ended with ${code}`)));
    });

    // Stands for what the first start provisions: this test has no weights to run.
    const first = await run("npx", ["hearth", "models", "create", "my-haiku"], environment);
    assert.match(first.output, /attached as INFERENCE\n/);
    const script: string[] = ["set -euo pipefail"];
    for (const [index, { language, text }] of blocks.entries()) {
      script.push(`echo "## ${index}"`);
      if (language === "sh") script.push(text);
      if (language !== "js") continue;
      const program = join(programs, `program-${index}.mjs`);
      await writeFile(program, text);
      script.push(`node_modules/.bin/node ${program}`);
    }
    const { code, output } = await run("bash", ["-c", script.join("\n")], environment);
    assert.equal(code, 0, output);
    assert.match(output, /Created inference-\S+, attached as INFERENCE_2/);
    assert.match(output, /"object":"chat\.completion"/);
    // The echoing upstream answers with the question: once to curl, to the client, to `call`.
    assert.equal(output.match(/Why is the sky blue\?/g)?.length, 3, output);
    assert.match(output, /New key for inference-/);
    assert.match(output, /Destroyed inference-/);

    const ended = once(server, "exit");
    process.kill(-(server.pid ?? 0), "SIGTERM");
    await ended;
    await upstream.close();
    await rm(programs, { recursive: true });
    await rm(data, { recursive: true });
  });
});
