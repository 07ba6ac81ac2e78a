// docs/configuration.md: every setting of hearth.json with meaning, values, default and
// environment variable, read out of the schema that the server checks with.

import { isObject, type JsonObject } from "./json.ts";
import { code, table } from "./markdown.ts";
import { fixedSections, namedSections, type Setting } from "./settings.ts";

const SHORT_NAMES: Readonly<Record<string, string>> = {
  HEARTH_HTTP_PORT: "PORT",
  HEARTH_HTTP_HOST: "HOST",
};

const INTRODUCTION = `<!-- biome-ignore-all format: generated from src/config/schema.ts by npm run docs; do not edit -->

# Configuration

Hearth reads one file, \`hearth.json\` (\`--config\` or \`HEARTH_CONFIG\` names another one). It is
JSON with comments and trailing commas, every setting in it may be left out, and it is checked
once, at the start: what is wrong is named with its place. \`hearth doctor\` does the same check.

- Text may hold \`\${NAME}\`: the environment variable of that name is put there. Keys belong
  into the environment and not into the file.
- Every setting outside \`models\` and \`mcp\` can also be given as the environment variable in the
  last column, which wins over the file; flags of the command line win over both. Lists are
  written with commas.
- A duration is a whole number with \`ms\`, \`s\`, \`m\` or \`h\`; a size one with \`B\`, \`KiB\`, \`MiB\` or
  \`GiB\`.
- Editors complete and check the file with its schema:

\`\`\`jsonc
{
  "$schema": "./node_modules/hearth-inference/hearth.schema.json",
  "models": {
    "my-haiku": {
      "engine": {
        "type": "openai",
        "base_url": "http://127.0.0.1:8000/v1",
        "api_key": "\${VLLM_KEY}",
        "model": "Qwen/Qwen3-8B"
      }
    }
  }
}
\`\`\`
`;

export function createConfigPage(): string {
  const fixed = fixedSections.map(
    ({ name, schema, settings }) =>
      `\n## ${name}\n\n${schema.description}\n\n${table(
        ["setting", "meaning", "value", "default", "environment variable"],
        settings.map((setting) => [
          code(setting.path),
          setting.meaning,
          wordValue(setting.schema),
          code(JSON.stringify(setting.schema.default)),
          wordVariable(setting),
        ]),
      )}`,
  );
  const named = namedSections.map(({ name, schema, settings }) => {
    const head = `\n## ${name}\n\n${schema.description}\n`;
    if (settings.length === 0) return head;
    const rows = settings.map(({ path, meaning, schema }) => [
      code(path.replace("*", "<id>")),
      meaning,
      wordValue(schema),
    ]);
    return `${head}\n${table(["setting", "meaning", "value"], rows)}`;
  });
  return [INTRODUCTION, ...fixed, ...named].join("");
}

function wordVariable({ variable = "" }: Setting): string {
  const short = SHORT_NAMES[variable];
  return short === undefined ? code(variable) : `${code(variable)} or ${code(short)}`;
}

/** What may stand there, in few words. */
export function wordValue(schema: JsonObject): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (Array.isArray(schema.anyOf)) {
    return [...new Set(schema.anyOf.filter(isObject).map(wordValue))].join(" or ");
  }
  switch (schema.type) {
    case "integer":
    case "number":
      return wordRange(schema);
    case "string":
      return wordText(schema);
    case "array":
      return isObject(schema.items) ? `list of ${wordValue(schema.items)}` : "list";
    case "boolean":
      return "`true` or `false`";
    default:
      return `${schema.type ?? "anything"}`;
  }
}

function wordRange({ type, minimum, exclusiveMinimum, maximum }: JsonObject): string {
  const word = type === "integer" ? "whole number" : "number";
  if (exclusiveMinimum !== undefined) return `${word} above ${exclusiveMinimum}`;
  if (minimum === undefined) return word;
  return maximum === undefined
    ? `${word} from ${minimum}`
    : `${word} from ${minimum} to ${maximum}`;
}

function wordText({ pattern, minLength }: JsonObject): string {
  if (typeof pattern === "string") {
    if (pattern.endsWith("(ms|s|m|h)$")) return "duration";
    if (pattern.endsWith("(B|KiB|MiB|GiB)$")) return "size";
    if (pattern.startsWith("^https?://")) return "http(s) address";
    return `text of the form ${code(pattern)}`;
  }
  return typeof minLength === "number" && minLength > 1
    ? `text of ${minLength} characters or more`
    : "text";
}
