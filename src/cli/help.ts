// Help that ends in an example which works.

import { styleText } from "node:util";
import { VERSION } from "../version.ts";
import type { Command } from "./command.ts";

const GLOBAL_OPTIONS: readonly (readonly [string, string])[] = [
  ["--data DIR", "Data directory; says which server is meant (HEARTH_DATA, default .hearth)"],
  ["--config FILE", "Configuration (HEARTH_CONFIG, default hearth.json)"],
  ["--help", "This text"],
];

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((c) => `${c.name} ${c.usage}`.length)) + 2;
  return [
    `hearth ${VERSION}: model inference behind one API`,
    "",
    styleText("bold", "Commands"),
    ...commands.map((c) => `  hearth ${`${c.name} ${c.usage}`.padEnd(width)}${c.summary}`),
    "",
    styleText("bold", "Options of every command"),
    ...GLOBAL_OPTIONS.map(([option, text]) => `  ${option.padEnd(width + 7)}${text}`),
    "",
    styleText("bold", "Exit codes"),
    "  0 done   1 failed   2 wrong usage   3 no such thing   4 conflict   5 no server runs",
    "",
    "hearth COMMAND --help shows a command's options and an example.",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.optionHelp).map(([name, text]): [string, string] => {
    const option = command.options[name];
    const short = option?.short === undefined ? "" : `-${option.short}, `;
    const value = option?.type === "string" ? ` ${name.toUpperCase()}` : "";
    return [`${short}--${name}${value}`, text];
  });
  const lines = [...options, ...GLOBAL_OPTIONS];
  const width = Math.max(...lines.map(([option]) => option.length)) + 2;
  return [
    `hearth ${`${command.name} ${command.usage}`.trim()} [options]`,
    command.summary,
    "",
    ...lines.map(([option, text]) => `  ${option.padEnd(width)}${text}`),
    "",
    `Example:  ${command.example}`,
  ].join("\n");
}
