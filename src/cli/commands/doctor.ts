// hearth doctor: looks at everything that can be wrong on this machine, and says what to do.

import { access, constants, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { styleText } from "node:util";
import type { Model } from "../../catalog/index.ts";
import type { Config, LlamaEngineConfig, OpenAiEngineConfig } from "../../config/index.ts";
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
  const models = createCatalog(config.models, { local: config.local.models }).available();
  if (models.length === 0) {
    findings.push({
      level: "note",
      what: "models",
      says: `none has an engine; add one under "models" in ${context.configPath}`,
    });
  }
  return [
    ...findings,
    ...(await Promise.all(models.flatMap((model) => checkEngines(model, context)))),
  ];
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
  return new Promise((answer) => {
    const probe = createServer();
    probe.once("error", () => answer(false));
    probe.listen(port, host, () => probe.close(() => answer(true)));
  });
}

function checkEngines(model: Model, context: CommandContext): Promise<Finding>[] {
  const what = `model ${model.id}`;
  return model.engines.map(async (engine): Promise<Finding> => {
    const [level, says] =
      engine.type === "llama"
        ? await checkWeights(model.id, engine, context)
        : await checkUpstream(engine);
    return { level, what, says };
  });
}

type Answer = readonly [level: Finding["level"], says: string];

async function checkWeights(
  id: string,
  { weights: source, sha256 }: LlamaEngineConfig,
  { dataDirectory, environment, configPath }: CommandContext,
): Promise<Answer> {
  const { createWeightsStore, weightsDirectory } = await import("../../weights/index.ts");
  try {
    import.meta.resolve("node-llama-cpp");
    const store = createWeightsStore({
      directory: weightsDirectory(dataDirectory),
      environment,
      configDirectory: dirname(resolve(configPath)),
    });
    const path = await store.find({ source, ...(sha256 !== undefined && { sha256 }) });
    if (path !== undefined) return ["good", `runs inside, on ${path}`];
    return source.startsWith("file:")
      ? ["bad", `${source} is not there, or is not what its sha256 says`]
      : ["note", `runs inside; its weights come with the first call, or \`hearth pull ${id}\``];
  } catch (error) {
    return ["bad", error instanceof Error ? error.message : String(error)];
  }
}

async function checkUpstream({ base_url: url, api_key: key }: OpenAiEngineConfig): Promise<Answer> {
  try {
    const { request } = await import("undici");
    const { statusCode, body } = await request(`${url}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(PROBE_MS),
    });
    await body.dump();
    if (statusCode === 401 || statusCode === 403) {
      return ["bad", `${url} refuses the key (${statusCode}): check api_key`];
    }
    return statusCode < 500 ? ["good", `${url} answers`] : ["bad", `${url} answers ${statusCode}`];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? `${error.code}` : "no answer";
    return ["bad", `${url} cannot be reached (${code}): is it running?`];
  }
}
