// From the words on the command line to an exit code.

import { parseArgs } from "node:util";
import { ServiceError } from "../call/index.ts";
import type { Environment } from "../config/index.ts";
import { VERSION } from "../version.ts";
import { type Command, CommandError, EXIT } from "./command.ts";
import { commands } from "./commands/index.ts";
import { type CommandContext, createContext } from "./context.ts";
import { commandHelp, overview } from "./help.ts";

export type Invocation = {
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly stdout: CommandContext["stdout"];
  readonly stderr: CommandContext["stderr"];
};

export async function runCommandLine(invocation: Invocation): Promise<number> {
  const { words, stdout, stderr } = invocation;
  try {
    if (words[0] === "--version") {
      stdout.write(`${VERSION}\n`);
      return EXIT.ok;
    }
    if (words.length === 0 || words[0] === "--help" || words[0] === "help") {
      stdout.write(`${overview(commands)}\n`);
      return EXIT.ok;
    }
    const command = findCommand(words);
    const rest = words.slice(command.name.split(" ").length);
    if (rest.includes("--help")) {
      stdout.write(`${commandHelp(command)}\n`);
      return EXIT.ok;
    }
    await command.run(contextFor(command, rest, invocation));
    return EXIT.ok;
  } catch (error) {
    stderr.write(`hearth: ${explain(error)}\n`);
    return exitCode(error);
  }
}

function findCommand(words: readonly string[]): Command {
  const [first = "", second = ""] = words;
  const found = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found !== undefined) return found;
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  throw new CommandError(
    family.length > 0
      ? `Say which: ${family.map(({ name }) => `hearth ${name}`).join(", ")}`
      : `There is no command "${first}". \`hearth --help\` lists them.`,
    EXIT.usage,
  );
}

function contextFor(command: Command, rest: readonly string[], invocation: Invocation) {
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: { ...command.options, data: { type: "string" }, config: { type: "string" } },
    });
    const [least, most] = command.words;
    if (positionals.length < least || positionals.length > most) {
      throw new Error(`Usage: hearth ${command.name} ${command.usage}`.trimEnd());
    }
    return createContext({ ...invocation, words: positionals, values });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${reason}\nExample: ${command.example}`, EXIT.usage);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ServiceError || error instanceof CommandError) return error.message;
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `${error.message}. Choose another port with --port.`;
  return error.message;
}

function exitCode(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  // By name: the class comes with the whole configuration, which most commands never load.
  if (error instanceof Error && error.name === "ConfigError") return EXIT.usage;
  if (error instanceof ServiceError) {
    if (error.status === 404) return EXIT.notFound;
    if (error.status === 409) return EXIT.conflict;
  }
  return EXIT.failed;
}
