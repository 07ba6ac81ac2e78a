// Small records beside the weights. A record is there whole or not at all: what a crash left
// half written reads as absent, and never as something else.

import { open, readFile, rename } from "node:fs/promises";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";

/** Undefined when it is not there, or not what the schema says. */
export async function readJsonFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return Value.Check(schema, value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const incoming = `${path}.new`;
  const file = await open(incoming, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(incoming, path);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
