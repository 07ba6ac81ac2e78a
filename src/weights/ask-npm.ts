// npm knows the registry's address where no setting names one: nothing here may hold a
// registry's host name, so that a mirror, and npm's own default, are honoured alike.

import { execFile } from "node:child_process";
import { basename } from "node:path";
import { serverError } from "../call/index.ts";
import type { Environment } from "../config/index.ts";

const PATIENCE_MS = 30_000;

export function askNpmForRegistry(
  environment: Environment,
  directory: string,
  signal: AbortSignal,
): Promise<string> {
  const [program, ...first] = npmProgram(environment);
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...first, "config", "get", "registry"],
      {
        cwd: directory,
        env: { ...environment },
        timeout: PATIENCE_MS,
        signal,
        // npm is a script there, which only a shell starts; its words are all ours.
        shell: process.platform === "win32" && first.length === 0,
      },
      (error, stdout) => {
        const address = stdout.trim();
        if (error === null && /^https?:\/\/\S+$/.test(address)) resolve(address);
        else reject(signal.aborted ? signal.reason : unknownRegistry(error));
      },
    );
  });
}

/** Inside `npm start` or `npx` npm says where it is; elsewhere it is looked up in the path. */
function npmProgram(environment: Environment): readonly [string, ...string[]] {
  const script = environment.npm_execpath;
  if (script !== undefined && basename(script) === "npm-cli.js") return [process.execPath, script];
  return ["npm"];
}

const unknownRegistry = (cause: unknown): Error =>
  serverError(
    "No setting names an npm registry, and npm does not answer: install npm, or set npm_config_registry",
    cause,
  );
