// Reads hearth.json: comments allowed, "${NAME}" taken from the environment, environment
// variables laid over it, defaults filled in, checked once. Every complaint names the file
// and the setting, because the reader is an operator at start-up.

import { readFileSync } from "node:fs";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";
import { applyEnvironment, type Environment } from "./environment.ts";
import { explainProblems } from "./explain-problems.ts";
import { MODEL_ID } from "./model-schema.ts";
import { type Config, ConfigSchema } from "./schema.ts";

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type ConfigSource = {
  readonly path: string;
  /** A missing file is an error only where the operator named it. */
  readonly required: boolean;
  readonly environment: Environment;
};

const validator = Compile(ConfigSchema);

export function loadConfig(source: ConfigSource): Config {
  const text = readText(source);
  return parseConfig(text ?? "{}", source.path, source.environment);
}

export function parseConfig(text: string, path: string, environment: Environment): Config {
  const written = parseCommented(text, path);
  const expanded = expandVariables(written, "", path, environment);
  const settled = Value.Default(ConfigSchema, applyEnvironment(expanded, environment));
  if (!validator.Check(settled)) {
    const problems = explainProblems(validator.Errors(settled), settled);
    throw new ConfigError(`${path} is not valid:\n${problems.map((p) => `  ${p}`).join("\n")}`);
  }
  checkTogether(settled, path);
  return settled;
}

function readText({ path, required }: ConfigSource): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" && !required) return undefined;
    if (code === "ENOENT") throw new ConfigError(`${path} does not exist; --config names it`);
    throw new ConfigError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function parseCommented(text: string, path: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, disallowComments: false });
  const first = errors[0];
  if (first !== undefined) {
    const before = text.slice(0, first.offset).split("\n");
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new ConfigError(`${path}:${line}:${column}: ${printParseErrorCode(first.error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError(`${path} must hold a JSON object`);
  }
  return value;
}

function expandVariables(
  value: unknown,
  at: string,
  path: string,
  environment: Environment,
): unknown {
  if (typeof value === "string") {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found === undefined) {
        throw new ConfigError(
          `${path}: ${at} wants the environment variable ${name}; it is not set`,
        );
      }
      return found;
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => expandVariables(item, `${at}[${index}]`, path, environment));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        expandVariables(item, at === "" ? key : `${at}.${key}`, path, environment),
      ]),
    );
  }
  return value;
}

function checkTogether(config: Config, path: string): void {
  // A name that fits no pattern passes the schema unseen, with all that is below it.
  const wrongId = Object.keys(config.models).find((id) => !MODEL_ID.test(id));
  if (wrongId !== undefined) {
    throw new ConfigError(
      `${path}: models: ${JSON.stringify(wrongId)} cannot be a model's id: use letters, digits and . _ : / -`,
    );
  }
  if (config.admin.port !== null && config.admin.token === null) {
    throw new ConfigError(
      `${path}: admin.port needs admin.token: admin requests over HTTP are never open`,
    );
  }
}
