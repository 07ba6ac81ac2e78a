// hearth models: what can be served, and the resources that callers hold keys for.

import { styleText } from "node:util";
import type { CreatedResource, ListedModel } from "../../service/index.ts";
import { type Command, CommandError, EXIT } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { table } from "../table.ts";

const json = { json: { type: "boolean" } } as const;
const jsonHelp = { json: "JSON for scripts" };

export const modelsList: Command = {
  name: "models list",
  summary: "Show the models and the resources that provision them",
  usage: "",
  example: "npx hearth models list",
  options: { ...json, all: { type: "boolean" } },
  optionHelp: { ...jsonHelp, all: "Well-known models that nothing here runs, too" },
  words: [0, 0],
  async run(context) {
    const [models, resources] = await context.withAdmin((admin) =>
      Promise.all([admin.models(), admin.resources()]),
    );
    if (context.flag("json")) {
      context.printJson({ models, resources });
      return;
    }
    const shown = models.filter((model) => context.flag("all") || model.engines.length > 0);
    if (shown.length === 0) {
      context.print(
        `No model has an engine yet. Add one to ${context.configPath}; --all shows the well-known ids.`,
      );
    } else {
      context.print(
        table(
          ["MODEL", "KIND", "TIER", "CONTEXT", "OUTPUT", "REQ/MIN", "TOK/MIN", "ENGINE"],
          shown.map(modelRow),
        ),
      );
    }
    if (resources.length === 0) return;
    context.print("");
    context.print(
      table(
        ["RESOURCE", "MODEL", "ATTACHED AS", "CREATED"],
        resources.map(({ name, model, aliases, createdAt }) => [
          name,
          model ?? "every model",
          aliases.join(", "),
          new Date(createdAt).toISOString().slice(0, 16).replace("T", " "),
        ]),
      ),
    );
  },
};

const modelRow = (model: ListedModel): string[] => [
  model.id,
  model.kind,
  model.tier ?? "–",
  `${model.context}`,
  `${model.max_output}`,
  `${model.limits.requests ?? "no limit"}`,
  `${model.limits.tokens ?? "no limit"}`,
  model.engines.length === 0 ? styleText("dim", "not configured") : model.engines.join(" + "),
];

export const modelsInfo: Command = {
  name: "models info",
  summary: "Show one resource and what it has used",
  usage: "RESOURCE",
  example: "npx hearth models info INFERENCE",
  options: json,
  optionHelp: jsonHelp,
  words: [1, 1],
  async run(context) {
    const [reference = ""] = context.words;
    const { resource, usage } = await context.withAdmin(async (admin) => {
      const resource = await admin.info(reference);
      return { resource, usage: await admin.usage({ resourceId: resource.id }) };
    });
    if (context.flag("json")) {
      context.printJson({ ...resource, usage });
      return;
    }
    context.print(
      table(
        ["RESOURCE", resource.name],
        [
          ["model", resource.model ?? "every model"],
          ["plan", resource.plan],
          ["attached as", resource.aliases.join(", ")],
          ["created", new Date(resource.createdAt).toISOString()],
          ["key since", new Date(resource.keyCreatedAt).toISOString()],
          ["requests", `${usage.requests}`],
          ["prompt tokens", `${usage.promptTokens} (${usage.cachedTokens} cached)`],
          ["completion tokens", `${usage.completionTokens}`],
        ],
      ),
    );
  },
};

export const modelsCreate: Command = {
  name: "models create",
  summary: "Provision a model: a resource with a key of its own",
  usage: "MODEL",
  example: "npx hearth models create my-haiku --as INFERENCE",
  options: { ...json, as: { type: "string" }, plan: { type: "string" } },
  optionHelp: {
    ...jsonHelp,
    as: "Prefix of its config variables; default by kind, such as INFERENCE",
    plan: "`standard`: one key for every model of the service; MODEL is then not needed",
  },
  words: [0, 1],
  async run(context) {
    const [model] = context.words;
    const alias = context.text("as");
    const plan = context.text("plan");
    if (plan !== undefined && plan !== "model" && plan !== "standard") {
      throw new CommandError(`--plan ${plan}: the plans are model and standard`, EXIT.usage);
    }
    if (model === undefined && plan !== "standard") {
      throw new CommandError("Which model? See `hearth models list`.", EXIT.usage);
    }
    const created = await context.withAdmin((admin) =>
      admin.create({
        ...(model === undefined ? {} : { model }),
        ...(alias === undefined ? {} : { alias }),
        ...(plan === undefined ? {} : { plan }),
      }),
    );
    printCreated(context, created, `Created ${created.resource}, attached as ${created.alias}`);
  },
};

export const modelsDestroy: Command = {
  name: "models destroy",
  summary: "Destroy a resource; its key is refused at once",
  usage: "RESOURCE",
  example: "npx hearth models destroy INFERENCE",
  options: json,
  optionHelp: jsonHelp,
  words: [1, 1],
  async run(context) {
    const [reference = ""] = context.words;
    const resource = await context.withAdmin((admin) => admin.destroy(reference));
    if (context.flag("json")) context.printJson({ destroyed: resource.name });
    else context.print(`Destroyed ${resource.name}. Its key is no longer accepted.`);
  },
};

export const keysRotate: Command = {
  name: "keys rotate",
  summary: "Give a resource a new key; the old one is refused at once",
  usage: "RESOURCE",
  example: "npx hearth keys rotate INFERENCE",
  options: json,
  optionHelp: jsonHelp,
  words: [1, 1],
  async run(context) {
    const [reference = ""] = context.words;
    const rotated = await context.withAdmin((admin) => admin.rotate(reference));
    printCreated(context, rotated, `New key for ${rotated.resource}; the old one is refused`);
  },
};

function printCreated(context: CommandContext, created: CreatedResource, headline: string): void {
  if (context.flag("json")) {
    context.printJson(created);
    return;
  }
  context.print(styleText("green", `${headline}\n`));
  for (const [name, value] of Object.entries(created.config)) context.print(`${name}=${value}`);
  context.print(styleText("dim", "\n`hearth env` prints these again; `hearth call` tries them."));
}
