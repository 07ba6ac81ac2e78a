import { runCommandLine } from "./run.ts";

process.exitCode = await runCommandLine({
  words: process.argv.slice(2),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
