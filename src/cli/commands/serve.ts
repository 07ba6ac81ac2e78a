// hearth serve: runs the service until it is told to stop.

import { styleText } from "node:util";
import type { Service } from "../../service/index.ts";
import { VERSION } from "../../version.ts";
import type { Command } from "../command.ts";
import type { CommandContext } from "../context.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "Run the service",
  usage: "",
  example: "npx hearth serve --port 8080 --data .hearth",
  options: { port: { type: "string" }, host: { type: "string" } },
  optionHelp: {
    port: "Port to listen on; 0 takes a free one (PORT)",
    host: "Address to listen on (HOST)",
  },
  words: [0, 0],
  async run(context) {
    const config = await context.config();
    const { createLog } = await import("../../ops/index.ts");
    const { startService } = await import("../../service/index.ts");
    const log = createLog({ level: config.log.level });
    const stopped = stopSignal();
    const service = await startService({ config, dataDirectory: context.dataDirectory, log });
    await greet(context, service);
    const signal = await stopped;
    log.info({ signal }, "stopping");
    await service.stop();
    await log.flush();
  },
};

/** The first signal asks for an orderly end; a second one ends at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve(signal);
      });
    }
  });
}

async function greet(context: CommandContext, { url, admin, catalog }: Service): Promise<void> {
  const resources = await admin.resources();
  const models = catalog.available().length;
  context.print(
    `hearth ${VERSION} is ready at ${url} (models: ${models}, resources: ${resources.length})`,
  );
  if (models === 0) {
    context.print(
      styleText("yellow", `No model has an engine yet: add one to ${context.configPath}. Example:`),
    );
    context.print(EXAMPLE);
  } else if (resources.length === 0) {
    const [first] = catalog.available();
    context.print(`Next, in another terminal:  npx hearth models create ${first?.id}`);
  }
}

const EXAMPLE = `  { "models": { "my-haiku": { "engine": {
      "type": "openai", "base_url": "http://127.0.0.1:11434/v1", "model": "qwen3:8b" } } } }`;
