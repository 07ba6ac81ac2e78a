// The tools of a chat request and the choice among them, to their inner form.

import { invalidRequest, type JsonSchema, type Tool, type ToolChoice } from "../../call/index.ts";
import { isTooDeep, MOST_LEVELS } from "../nesting.ts";
import { showValue } from "../show-value.ts";
import type { ChatRequest, ChatTool } from "./request-schema.ts";

const NO_PARAMETERS: JsonSchema = { type: "object", properties: {} };

export function convertTools({ tools }: ChatRequest): readonly Tool[] {
  if (!tools || tools.length === 0) return [];
  const names = new Set<string>();
  return tools.map(({ function: tool }, index) => {
    const path = `tools[${index}].function`;
    if (names.has(tool.name)) {
      throw invalidRequest(`${path}.name: ${showValue(tool.name)} is the name of another tool too`);
    }
    names.add(tool.name);
    return convertTool(tool, path);
  });
}

function convertTool(tool: ChatTool["function"], path: string): Tool {
  if (isTooDeep(tool.parameters)) {
    throw invalidRequest(
      `${path}.parameters: is nested too deeply: the most is ${MOST_LEVELS} levels`,
    );
  }
  return {
    name: tool.name,
    ...(typeof tool.description === "string" && { description: tool.description }),
    parameters: withType(tool.parameters ?? NO_PARAMETERS),
    ...(typeof tool.strict === "boolean" && { strict: tool.strict }),
  };
}

/** Some engines insist on the type that others take for granted. */
const withType = (parameters: JsonSchema): JsonSchema =>
  parameters.type === undefined ? { type: "object", ...parameters } : parameters;

export function chooseTool(request: ChatRequest, tools: readonly Tool[]): ToolChoice {
  const choice = request.tool_choice ?? (tools.length > 0 ? "required" : "none");
  if (tools.length === 0) {
    if (choice === "none" || choice === "auto") return { type: "none" };
    throw invalidRequest(`tool_choice: ${showValue(choice)} needs tools, and none are given`);
  }
  if (typeof choice === "string") return { type: choice };
  const { name } = choice.function;
  if (!tools.some((tool) => tool.name === name)) {
    throw invalidRequest(
      `tool_choice.function.name: ${showValue(name)} is not the name of one of the tools`,
    );
  }
  return { type: "named", name };
}
