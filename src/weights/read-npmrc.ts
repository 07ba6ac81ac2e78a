// npm's own settings, from the places npm reads them: environment, project, user, global, the
// earlier winning. Only what finding and reading a registry needs; npm is asked for the rest.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../config/index.ts";
import { isMissing } from "./json-file.ts";

export type NpmSettings = {
  /** Such as `registry`, `@scope:registry`, `//host/:_authToken`. */
  get(name: string): string | undefined;
};

export async function readNpmSettings(
  environment: Environment,
  projectDirectory: string,
): Promise<NpmSettings> {
  const layers = [fromEnvironment(environment)];
  const variable = (name: string): string | undefined => layers[0]?.get(name);
  const paths = [
    join(variable("local-prefix") ?? projectDirectory, ".npmrc"),
    variable("userconfig") ?? join(environment.HOME ?? homedir(), ".npmrc"),
    variable("globalconfig"),
  ];
  for (const path of paths) {
    if (path !== undefined) layers.push(parseNpmrc(await readText(path), environment));
  }
  return { get: (name) => layers.map((layer) => layer.get(name)).find((value) => value) };
}

export function parseNpmrc(text: string, environment: Environment): Map<string, string> {
  const settings = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const bare = value.replace(/^(["'])(.*)\1$/, "$2");
    // As npm does it, a variable that is not set stays as written.
    const filled = bare.replace(/\$\{([^}]+)\}/g, (written, key) => environment[key] ?? written);
    settings.set(name, filled);
  }
  return settings;
}

function fromEnvironment(environment: Environment): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [variable, value] of Object.entries(environment)) {
    const [, name] = /^npm_config_(.+)$/i.exec(variable) ?? [];
    if (name === undefined || value === undefined || value === "") continue;
    const verbatim = name.startsWith("//") || name.startsWith("@");
    settings.set(verbatim ? name : name.toLowerCase().replace(/(?!^)_/g, "-"), value);
  }
  return settings;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}
