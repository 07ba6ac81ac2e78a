// Environment variables over the file: every setting outside `models` and `mcp` can be given
// as HEARTH_<SECTION>_<SETTING>, such as HEARTH_HTTP_BODY_LIMIT; PORT and HOST, which
// platforms set, are the http ones.

import { ConfigSchema } from "./schema.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

type Section = { readonly properties?: Readonly<Record<string, SettingSchema>> };
type SettingSchema = { readonly type?: string; readonly anyOf?: readonly { type?: string }[] };

const SHORT_NAMES: Readonly<Record<string, string>> = {
  HEARTH_HTTP_PORT: "PORT",
  HEARTH_HTTP_HOST: "HOST",
};

export function applyEnvironment(config: unknown, environment: Environment): unknown {
  const result: Record<string, unknown> = { ...(config as Record<string, unknown>) };
  for (const [sectionName, section] of Object.entries(ConfigSchema.properties)) {
    for (const [name, schema] of Object.entries((section as Section).properties ?? {})) {
      const variable = `HEARTH_${sectionName}_${name}`.toUpperCase();
      const text = environment[variable] ?? environment[SHORT_NAMES[variable] ?? ""];
      if (text === undefined || text === "") continue;
      const current = result[sectionName];
      result[sectionName] = {
        ...(typeof current === "object" ? current : {}),
        [name]: readSetting(text, schema),
      };
    }
  }
  return result;
}

/** What does not fit is left as text, so that validation names it like any other mistake. */
function readSetting(text: string, schema: SettingSchema): unknown {
  const types = schema.type === undefined ? schema.anyOf?.map((s) => s.type) : [schema.type];
  if (types?.includes("null") && text === "null") return null;
  if (types?.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types?.includes("integer") || types?.includes("number")) && /^-?\d+(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  if (types?.includes("array")) return text.split(",").map((item) => item.trim());
  return text;
}
