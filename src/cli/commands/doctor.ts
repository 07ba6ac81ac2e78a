// hearth doctor: looks at everything that can be wrong on this machine, and says what to do.

import { access, constants, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { styleText } from "node:util";
import type { Model } from "../../catalog/index.ts";
import type { Config } from "../../config/index.ts";
import { adminSocketPath } from "../../data-directory/index.ts";
import { type Command, CommandError } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { connectAdmin } from "../remote-admin.ts";

type Finding = {
  readonly level: "good" | "note" | "bad";
  readonly what: string;
  readonly says: string;
};

const MARK = { good: ["green", "✓"], note: ["yellow", "!"], bad: ["red", "✗"] } as const;
const PROBE_MS = 3000;

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Check this machine and the configuration",
  usage: "",
  example: "npx hearth doctor",
  options: { json: { type: "boolean" } },
  optionHelp: { json: "JSON for scripts" },
  words: [0, 0],
  async run(context) {
    const findings = await examine(context);
    if (context.flag("json")) context.printJson(findings);
    else {
      for (const { level, what, says } of findings) {
        const [colour, mark] = MARK[level];
        context.print(`${styleText(colour, mark)} ${what.padEnd(16)} ${says}`);
      }
    }
    const bad = findings.filter(({ level }) => level === "bad").length;
    if (bad > 0)
      throw new CommandError(`${bad} ${bad === 1 ? "thing needs" : "things need"} attention`);
  },
};

async function examine(context: CommandContext): Promise<Finding[]> {
  const findings: Finding[] = [checkNode(), await checkData(context.dataDirectory)];
  let config: Config;
  try {
    config = await context.config();
    findings.push({ level: "good", what: "configuration", says: `${context.configPath} is valid` });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ConfigError") throw error;
    return [...findings, { level: "bad", what: "configuration", says: error.message }];
  }
  findings.push(await checkServer(context.dataDirectory, config));
  const { createCatalog } = await import("../../catalog/index.ts");
  const models = createCatalog(config.models).available();
  if (models.length === 0) {
    findings.push({
      level: "note",
      what: "models",
      says: `none has an engine; add one under "models" in ${context.configPath}`,
    });
  }
  return [...findings, ...(await Promise.all(models.flatMap(checkEngines)))];
}

function checkNode(): Finding {
  const good = Number.parseInt(process.versions.node, 10) >= 24;
  return {
    level: good ? "good" : "bad",
    what: "node",
    says: good
      ? process.version
      : `${process.version} is too old: Hearth needs 24; run \`npm install\``,
  };
}

async function checkData(directory: string): Promise<Finding> {
  const what = "data directory";
  try {
    const { mode } = await stat(directory);
    await access(directory, constants.R_OK | constants.W_OK);
    if ((mode & 0o077) !== 0) {
      return {
        level: "note",
        what,
        says: `${directory} is open to other users: chmod 700 it, keys are kept there`,
      };
    }
    return { level: "good", what, says: directory };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") {
      return { level: "good", what, says: `${directory} will be created by \`hearth serve\`` };
    }
    return { level: "bad", what, says: `${directory} cannot be written: ${code ?? error}` };
  }
}

async function checkServer(dataDirectory: string, { http }: Config): Promise<Finding> {
  const what = "server";
  const admin = await connectAdmin(adminSocketPath(dataDirectory));
  if (admin !== undefined) {
    const { version, url, pid } = await admin.status();
    return { level: "good", what, says: `${version} runs at ${url} (process ${pid})` };
  }
  const free = http.port === 0 || (await portIsFree(http.host, http.port));
  return free
    ? { level: "note", what, says: `not running; ${http.host}:${http.port} is free` }
    : {
        level: "bad",
        what,
        says: `not running on this data directory, and port ${http.port} is taken: use --port`,
      };
}

function portIsFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

function checkEngines(model: Model): Promise<Finding>[] {
  return model.engines.map(async (engine): Promise<Finding> => {
    const what = `model ${model.id}`;
    try {
      const { request } = await import("undici");
      const { statusCode, body } = await request(`${engine.base_url}/models`, {
        headers: engine.api_key === undefined ? {} : { authorization: `Bearer ${engine.api_key}` },
        signal: AbortSignal.timeout(PROBE_MS),
      });
      await body.dump();
      if (statusCode === 401 || statusCode === 403) {
        return {
          level: "bad",
          what,
          says: `${engine.base_url} refuses the key (${statusCode}): check api_key`,
        };
      }
      return statusCode < 500
        ? { level: "good", what, says: `${engine.base_url} answers` }
        : { level: "bad", what, says: `${engine.base_url} answers ${statusCode}` };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? `${error.code}` : "no answer";
      return {
        level: "bad",
        what,
        says: `${engine.base_url} cannot be reached (${code}): is it running?`,
      };
    }
  });
}
