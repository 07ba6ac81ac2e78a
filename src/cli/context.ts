// What every command is handed: its words and options, where the data is, the configuration,
// and somewhere to print.

import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { Config, Environment } from "../config/index.ts";
import type { Admin } from "../service/index.ts";
import { openAdmin } from "./open-admin.ts";

export type OptionValue = string | boolean | (string | boolean)[] | undefined;

export type CommandContext = {
  readonly words: readonly string[];
  /** The option's text; undefined when it was not given. */
  text(option: string): string | undefined;
  flag(option: string): boolean;
  readonly environment: Environment;
  readonly dataDirectory: string;
  config(): Promise<Config>;
  readonly configPath: string;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  print(text: string): void;
  printJson(value: unknown): void;
  /** The operator's commands, on the running server or, without one, on the data itself. */
  withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T>;
};

export type ContextInput = {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, OptionValue>>;
  readonly environment: Environment;
  readonly stdout: CommandContext["stdout"];
  readonly stderr: CommandContext["stderr"];
};

export function createContext(input: ContextInput): CommandContext {
  const { words, values, environment, stdout, stderr } = input;
  const text = (option: string): string | undefined => {
    const value = values[option];
    return typeof value === "string" ? value : undefined;
  };
  const dataDirectory = resolve(text("data") ?? environment.HEARTH_DATA ?? ".hearth");
  const named = text("config") ?? environment.HEARTH_CONFIG;
  const configPath = named ?? "hearth.json";
  const config = async (): Promise<Config> => {
    const { loadConfig } = await import("../config/index.ts");
    return loadConfig({
      path: configPath,
      required: named !== undefined,
      environment: { ...environment, ...overrides(text) },
    });
  };
  const print = (line: string): void => void stdout.write(`${line}\n`);
  return {
    words,
    text,
    flag: (option) => values[option] === true,
    environment,
    dataDirectory,
    config,
    configPath,
    stdout,
    stderr,
    print,
    printJson: (value) => print(JSON.stringify(value, null, 2)),
    async withAdmin(work) {
      const opened = await openAdmin({ dataDirectory, config });
      try {
        return await work(opened.admin);
      } finally {
        await opened.close();
      }
    },
  };
}

/** Flags of the command line win over the environment, as that wins over the file. */
function overrides(text: (option: string) => string | undefined): Environment {
  const port = text("port");
  const host = text("host");
  return {
    ...(port === undefined ? {} : { HEARTH_HTTP_PORT: port }),
    ...(host === undefined ? {} : { HEARTH_HTTP_HOST: host }),
  };
}
