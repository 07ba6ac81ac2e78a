// What a command is: its words, its options, an example that works, and what it does.

import type { ParseArgsOptionsConfig } from "node:util";
import type { CommandContext } from "./context.ts";

export type Command = {
  /** As typed: `models create`. */
  readonly name: string;
  readonly summary: string;
  /** The words after the name: `MODEL`. */
  readonly usage: string;
  readonly example: string;
  readonly options: ParseArgsOptionsConfig;
  /** One line for each option, for `--help`. */
  readonly optionHelp: Readonly<Record<string, string>>;
  /** Least and most words it takes after its name. */
  readonly words: readonly [least: number, most: number];
  run(context: CommandContext): Promise<void>;
};

/** Exit codes are part of the interface: scripts branch on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  noServer: 5,
} as const;

/** Ends the program with a message that says what to do, and a code that says what it was. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
