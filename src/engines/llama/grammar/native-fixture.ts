// Test support: asks the real llama.cpp, in a process of its own, whether it takes a grammar and
// whether the grammar takes a text. An abort in native code ends that process, not the test run.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export type NativeQuestion = { readonly grammar: string; readonly texts: readonly string[] };

/** `texts`: for each text whether the grammar allows it, from beginning to end. */
export type NativeAnswer = {
  readonly accepted: boolean;
  readonly texts: readonly boolean[];
  readonly milliseconds: number;
};

export async function askNative(questions: readonly NativeQuestion[]): Promise<NativeAnswer[]> {
  const program = join(import.meta.dirname, "native-program-fixture.ts");
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(JSON.stringify(questions));
  const [output] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  if (output === "") throw new Error(`llama.cpp ended with ${child.exitCode ?? child.signalCode}`);
  return JSON.parse(output);
}
