// hearth env: the config variables of every attachment, ready for a shell or a script.

import type { Command } from "../command.ts";

export const envCommand: Command = {
  name: "env",
  summary: "Print the config variables of every attachment",
  usage: "",
  example: 'eval "$(npx hearth env)"',
  options: { json: { type: "boolean" } },
  optionHelp: { json: "One flat JSON object" },
  words: [0, 0],
  async run(context) {
    const variables = await context.withAdmin((admin) => admin.env());
    if (context.flag("json")) {
      context.printJson(variables);
      return;
    }
    for (const [name, value] of Object.entries(variables)) {
      context.print(`export ${name}='${value}'`);
    }
    if (Object.keys(variables).length === 0) {
      context.stderr.write(
        "Nothing is attached yet: `hearth models create MODEL` makes a resource.\n",
      );
    }
  },
};
