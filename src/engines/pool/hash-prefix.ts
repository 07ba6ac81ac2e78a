// A number for the cacheable prefix of a call, so that calls with the same system prompt and
// tools can meet at the target that has it in its cache. It is not exact and need not be:
// of long texts only the ends are read, and a collision only means that two prefixes share
// a target.

import type { Call, Tool } from "../../call/index.ts";

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const READ = 1024;

/** Undefined when the call has no prefix worth keeping together. */
export function hashPrefix(call: Call): number | undefined {
  if (call.system.length === 0 && call.tools.length === 0) return undefined;
  let hash = FNV_OFFSET;
  for (const part of call.system) hash = hashText(part.text, hash);
  for (const tool of call.tools) hash = hashTool(tool, hash);
  return hash;
}

export function hashText(text: string, seed: number): number {
  let hash = Math.imul(seed ^ text.length, FNV_PRIME);
  const headEnd = Math.min(text.length, READ);
  for (let i = 0; i < headEnd; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  for (let i = Math.max(headEnd, text.length - READ); i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  }
  return hash >>> 0;
}

/** Name, description and the names of the parameters: enough to tell tools apart. */
function hashTool(tool: Tool, seed: number): number {
  let hash = hashText(tool.name, seed);
  if (tool.description !== undefined) hash = hashText(tool.description, hash);
  const { properties } = tool.parameters;
  if (typeof properties === "object" && properties !== null) {
    for (const name of Object.keys(properties)) hash = hashText(name, hash);
  }
  return hash;
}
