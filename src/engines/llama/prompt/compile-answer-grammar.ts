// What the answer of a call must look like, as one grammar: free text, JSON, calls, or free
// text in which the marker of a call can only begin a call. The model decides which; the
// grammar sees to it that a call, once begun, can be read.

import { type Call, invalidRequest, type Tool } from "../../../call/index.ts";
import {
  COLON,
  compileSchema,
  GrammarBuilder,
  objectRule,
  quoteLiteral,
} from "../grammar/index.ts";
import { CALL_CLOSE, CALL_OPEN, MOST_CALLS } from "./tool-call-format.ts";

/** The grammar, or undefined where the answer is free text and nothing else. */
export function compileAnswerGrammar(call: Call): string | undefined {
  const offered = offeredTools(call);
  const builder = new GrammarBuilder();
  if (offered.length === 0) {
    if (call.format.type !== "text") return builder.build(compileFormat(builder, call));
    // Tools the model sees but may not use.
    return call.tools.length === 0 ? undefined : builder.build(compileText(builder, undefined));
  }
  const body = compileCalls(builder, offered, call.parallelToolCalls);
  const calls = `${quoteLiteral(CALL_OPEN)} ${body}`;
  if (call.toolChoice.type !== "auto") return builder.build(calls);
  if (call.format.type === "text") return builder.build(compileText(builder, body));
  return builder.build(`${calls} | ${compileFormat(builder, call)}`);
}

/** The tools this call may use, each name once. */
export function offeredTools(call: Call): readonly Tool[] {
  const { toolChoice } = call;
  const byName = new Map(call.tools.map((tool) => [tool.name, tool]));
  switch (toolChoice.type) {
    case "none":
      return [];
    case "named": {
      const tool = byName.get(toolChoice.name);
      if (tool === undefined) {
        throw invalidRequest(`tool_choice: there is no tool "${toolChoice.name}"`);
      }
      return [tool];
    }
    default:
      return [...byName.values()];
  }
}

function compileFormat(builder: GrammarBuilder, call: Call): string {
  return call.format.type === "json_schema"
    ? compileSchema(builder, call.format.schema, `schema ${call.format.name}`)
    : objectRule(builder);
}

/** What follows the first opening marker: one call, and others where they are allowed. */
function compileCalls(builder: GrammarBuilder, tools: readonly Tool[], parallel: boolean): string {
  const choices = tools.map((tool) => {
    const schema = { ...tool.parameters, type: "object" };
    const fields = compileSchema(builder, schema, `tool ${tool.name}: parameters`);
    const name = quoteLiteral(JSON.stringify(tool.name));
    return `${name} "," " "? ${quoteLiteral('"arguments"')} ${COLON} ${fields}`;
  });
  const tool = builder.add("tool", choices.join(" | "));
  const name = `${quoteLiteral('{"name"')} ${COLON}`;
  const one = builder.add(
    "call",
    `${quoteLiteral("\n")}? ${name} ${tool} "}" ${quoteLiteral("\n")}? ${quoteLiteral(CALL_CLOSE)}`,
  );
  if (!parallel) return one;
  const next = builder.add("next-call", `${quoteLiteral("\n")}? ${quoteLiteral(CALL_OPEN)} ${one}`);
  return builder.add("calls", `${one} ${builder.repeat(next, 0, MOST_CALLS - 1)}`);
}

/**
 * Any text, as an automaton that knows how much of the marker it has just read: a marker that
 * is complete leads to `body`, and where there is none, cannot be completed. The marker's
 * first character stands in it once, so a false start falls back to the beginning.
 */
function compileText(builder: GrammarBuilder, body: string | undefined): string {
  const [first = "", ...others] = CALL_OPEN;
  const text = builder.reserve("text");
  const begun = builder.reserve("text");
  const open = quoteLiteral(first);
  builder.define(text, `([^${first}] ${text} | ${open} ${begun})?`);
  let state = begun;
  for (const [index, character] of others.entries()) {
    const last = index === others.length - 1;
    const next = last ? body : builder.reserve("text");
    const on = next === undefined ? "" : `${quoteLiteral(character)} ${next} | `;
    builder.define(state, `(${on}${open} ${begun} | [^${first}${character}] ${text})?`);
    if (next !== undefined) state = next;
  }
  return text;
}
