// The programs of the benchmark and the channel between them: a child says its port when it
// is ready, then answers one question at a time.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";

const Ready = Compile(Type.Object({ port: Type.Integer() }));
const Answer = Compile(
  Type.Union([Type.Object({ answer: Type.Unknown() }), Type.Object({ problem: Type.String() })]),
);

export type Program = {
  readonly pid: number;
  readonly port: number;
  ask(question: object): Promise<unknown>;
  stop(): Promise<void>;
};

export async function startProgram(file: URL, words: readonly string[] = []): Promise<Program> {
  const child = fork(fileURLToPath(file), words, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { port } = Ready.Parse(await nextMessage(child));
  return {
    pid: child.pid ?? 0,
    port,
    async ask(question) {
      child.send(question);
      const answer = Answer.Parse(await nextMessage(child));
      if ("problem" in answer) throw new Error(answer.problem);
      return answer.answer;
    },
    stop: () => endProcess(child),
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const stopped = new AbortController();
  const ended = once(child, "exit", { signal: stopped.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.slice(1).join(" ")} ended with ${code}`);
  });
  ended.catch(() => {});
  try {
    const [message] = await Promise.race([once(child, "message"), ended]);
    return message;
  } finally {
    stopped.abort();
  }
}

/** An orderly end when there is one within a few seconds. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 8000);
  await ended;
  clearTimeout(timer);
}

export type Answering<S extends TSchema> = {
  readonly port: number;
  readonly schema: S;
  answer(question: Static<S>): Promise<unknown>;
};

/** The child's side. */
export function answerParent<S extends TSchema>({ port, schema, answer }: Answering<S>): void {
  const question = Compile(schema);
  const reply = async (message: unknown): Promise<object> => {
    try {
      if (!question.Check(message)) throw new Error("not a question that this program knows");
      return { answer: (await answer(message)) ?? null };
    } catch (error) {
      return { problem: String(error) };
    }
  };
  process.on("message", async (message) => process.send?.(await reply(message)));
  process.on("disconnect", () => process.exit(0));
  process.send?.({ port });
}
