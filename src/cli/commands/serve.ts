// hearth serve: runs the service until it is told to stop.

import { dirname, resolve } from "node:path";
import { styleText } from "node:util";
import type { Service } from "../../service/index.ts";
import { VERSION } from "../../version.ts";
import type { PullProgress } from "../../weights/index.ts";
import type { Command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { createProgressBar, type ProgressBar } from "../progress-bar.ts";

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
    const service = await startService({
      config,
      dataDirectory: context.dataDirectory,
      log,
      configDirectory: dirname(resolve(context.configPath)),
      // In a terminal somebody watches; elsewhere the log says how far it is.
      ...(context.stdout.isTTY && { onPull: showPulls(context) }),
    });
    await greet(context, service, Object.keys(config.models));
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

async function greet(
  context: CommandContext,
  { url, admin, catalog, firstResources, fetching }: Service,
  configured: readonly string[],
): Promise<void> {
  const resources = await admin.resources();
  const available = catalog.available();
  context.print(
    `hearth ${VERSION} is ready at ${url} (models: ${available.length}, resources: ${resources.length})`,
  );
  if (available.length === 0) {
    context.print(
      styleText("yellow", `No model has an engine yet: add one to ${context.configPath}. Example:`),
    );
    context.print(EXAMPLE);
  } else if (resources.length === 0) {
    const first = available.find(({ id }) => configured.includes(id)) ?? available[0];
    context.print(`Next, in another terminal:  npx hearth models create ${first?.id}`);
  }
  for (const { model, config } of firstResources) {
    context.print(`\n${model} is yours; \`npx hearth env\` prints this again:`);
    for (const [name, value] of Object.entries(config)) context.print(`${name}=${value}`);
  }
  for (const model of await fetching) {
    context.print(
      styleText("yellow", `\nThe weights of ${model} are being fetched; answers begin after that.`),
    );
  }
}

/** A bar for each model whose weights arrive. */
function showPulls(context: CommandContext): (model: string, step: PullProgress | "done") => void {
  const bars = new Map<string, ProgressBar>();
  return (model, step) => {
    const bar =
      bars.get(model) ??
      createProgressBar({ label: model, output: context.stdout, now: () => performance.now() });
    bars.set(model, bar);
    if (step !== "done") {
      bar.update(step);
      return;
    }
    bar.end();
    bars.delete(model);
    context.print(styleText("green", `The weights of ${model} are here.`));
  };
}

const EXAMPLE = `  { "models": { "my-haiku": { "engine": {
      "type": "openai", "base_url": "http://127.0.0.1:11434/v1", "model": "qwen3:8b" } } } }`;
