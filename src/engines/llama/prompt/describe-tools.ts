// Tool definitions for models whose template has no place for them: one line a tool, and how to
// call one. It does not depend on the tool choice, so that the prompt stays the same and cached.

import type { Tool } from "../../../call/index.ts";
import { describeSchema } from "./describe-schema.ts";
import { isRecord } from "./is-record.ts";
import { toSpacedJson } from "./spaced-json.ts";
import { CALL_CLOSE, CALL_OPEN } from "./tool-call-format.ts";

export function describeTools(tools: readonly Tool[]): string {
  return [
    "You can call these tools:",
    ...tools.map(describeTool),
    "To call a tool, write only this, with the tool's name and its arguments as JSON:",
    `${CALL_OPEN}{"name": "tool name", "arguments": {"argument": "value"}}${CALL_CLOSE}`,
    "Call a tool only when it helps. When its result is there, use it to answer.",
  ].join("\n");
}

/** A definition as templates of the Hermes kind print it. */
export function writeToolDefinition(tool: Tool): string {
  const { name, description, parameters } = tool;
  return toSpacedJson({ type: "function", function: { name, description, parameters } });
}

function describeTool(tool: Tool): string {
  const signature = describeSchema(tool.parameters);
  const inside = signature.startsWith("{") ? signature.slice(1, -1) : "";
  const head = `- ${tool.name}(${inside})`;
  const lines = [tool.description ? `${head}: ${tool.description}` : head];
  const { properties } = tool.parameters;
  for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    const description = isRecord(schema) ? schema.description : undefined;
    if (typeof description === "string") lines.push(`  ${name}: ${description}`);
  }
  return lines.join("\n");
}
