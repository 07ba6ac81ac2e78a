#!/usr/bin/env node
// The program's entry. Hearth runs on the Node release it depends on; when the caller's
// `node` is older than that, the bundled one takes over, so `npx hearth` works anywhere.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) {
  await import("../dist/cli/main.js");
} else {
  const bundled = fileURLToPath(import.meta.resolve("node/bin/node"));
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(
      `hearth: needs Node ${OLDEST_NODE} or newer, and the bundled one did not start: ${error.message}\n` +
        "Run `npm install` again, or start hearth with a newer Node.\n",
    );
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128 + 15);
  });
}
