// The best-known TypeScript gateway, from npm. It is installed once into a folder under the
// system's temporary directory, apart from this repository, and found there the next time.

import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { endProcess } from "../program.ts";
import { UPSTREAM_MODEL } from "../wire.ts";
import type { Subject } from "./subject.ts";

const run = promisify(execFile);
const PACKAGE = "@portkey-ai/gateway";
const VERSION = "1.15.2";
// Its own range of this dependency now resolves to releases under which none of its streams
// starts (`TypeError: immutable`); this is the last one under which they do.
const OVERRIDES = { "@hono/node-server": "1.14.1" };
const INSTALL_MS = 180_000;
const START_MS = 30_000;

export async function startPortkey(upstreamPort: number): Promise<Subject> {
  const entry = await install();
  const port = await freePort();
  const child = spawn(process.execPath, [entry, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" },
  });
  const giveUpAt = performance.now() + START_MS;
  while (!(await listens(port))) {
    if (performance.now() > giveUpAt || child.exitCode !== null) {
      await endProcess(child);
      throw new Error(`${PACKAGE} does not start`);
    }
    await pause(50);
  }
  return {
    name: "portkey",
    pid: child.pid ?? 0,
    port,
    headers: {
      authorization: "Bearer bench-key-of-the-upstream",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`,
    },
    // It does not rename models by itself.
    model: UPSTREAM_MODEL,
    foreign: true,
    stop: () => endProcess(child),
  };
}

async function install(): Promise<string> {
  const folder = join(tmpdir(), `hearth-bench-portkey-${VERSION}`);
  const entry = join(folder, "node_modules", PACKAGE, "build", "start-server.js");
  if (existsSync(entry)) return entry;
  await mkdir(folder, { recursive: true });
  const manifest = { private: true, dependencies: { [PACKAGE]: VERSION }, overrides: OVERRIDES };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", words, { cwd: folder, timeout: INSTALL_MS });
  return entry;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
