// The serving thread's end of the database thread: sends calls, matches replies, and when
// the thread dies fails what was waiting and starts another one, ever less eagerly.

import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  type Arguments,
  type Call,
  OPENING,
  type OperationName,
  type Reply,
  type Results,
  toError,
} from "./database-calls.ts";
import type { Schedule } from "./schedule.ts";
import { StoreUnavailable } from "./store-errors.ts";

const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 10_000;

export type DatabaseClientOptions = {
  readonly directory: string;
  readonly schedule: Schedule;
  readonly onProblem: (problem: Error) => void;
  readonly spawn?: (directory: string) => Worker;
};

export interface DatabaseClient {
  call<Name extends OperationName>(
    operation: Name,
    ...values: Arguments[Name]
  ): Promise<Results[Name]>;
  /** Resolves when the database is closed and the thread has ended. */
  close(): Promise<void>;
}

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Rejects when the database cannot be opened the first time. */
export async function startDatabaseClient(options: DatabaseClientOptions): Promise<DatabaseClient> {
  const { directory, schedule, onProblem } = options;
  const spawn = options.spawn ?? spawnThread;
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = OPENING;
  let restartMs = FIRST_RESTART_MS;
  let closing = false;
  let cancelRestart = () => {};

  function settle(reply: Reply) {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    // A process that forgot to close its store may still end; one that waits may not.
    if (waiting.size === 0 && !closing) worker?.unref();
    if ("failure" in reply) {
      call?.reject(toError(reply.failure));
      return;
    }
    if (reply.id !== OPENING) restartMs = FIRST_RESTART_MS;
    call?.resolve(reply.result);
  }

  async function start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let opened = false;
    let reason: Error | undefined;
    const open = () => {
      opened = true;
      resolve();
    };
    worker = spawn(directory);
    waiting.set(OPENING, { resolve: open, reject });
    worker.on("message", (reply: Reply) => {
      // A thread that could not open ends by itself; its end tells everyone who waits why.
      if (reply.id === OPENING && "failure" in reply) reason = toError(reply.failure);
      else settle(reply);
    });
    worker.on("error", (cause) => {
      reason = new StoreUnavailable(`the database thread failed: ${cause}`, { cause });
    });
    worker.on("exit", () => {
      worker = undefined;
      reason ??= new StoreUnavailable("the database thread ended unexpectedly");
      for (const call of waiting.values()) call.reject(reason);
      waiting.clear();
      if (!opened || closing) return;
      onProblem(reason);
      restartLater();
    });
    return promise;
  }

  function restartLater() {
    cancelRestart = schedule(() => {
      start().catch((error) => {
        onProblem(error);
        if (!closing) restartLater();
      });
    }, restartMs);
    restartMs = Math.min(restartMs * 2, LONGEST_RESTART_MS);
  }

  async function call<Name extends OperationName>(
    operation: Name,
    ...values: Arguments[Name]
  ): Promise<Results[Name]> {
    if (worker === undefined) {
      throw new StoreUnavailable(
        closing ? "the store is closed" : "the database thread is down and will be started again",
      );
    }
    lastId += 1;
    const call: Call<Name> = { id: lastId, operation, values };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.postMessage(call);
    worker.ref();
    waiting.set(call.id, { resolve, reject });
    // The thread answers a call with the result of its operation and nothing else; replies
    // are untyped only because they cross a thread.
    return (await promise) as Results[Name];
  }

  await start();
  return {
    call,
    async close() {
      if (closing) return;
      closing = true;
      cancelRestart();
      if (worker === undefined) return;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      worker.once("exit", () => resolve());
      await call("close").catch(onProblem);
      await ended;
    },
  };
}

/** Tests run the TypeScript itself, the published program its compiled form. */
function spawnThread(directory: string): Worker {
  const url = new URL(`./database-thread${extname(import.meta.url)}`, import.meta.url);
  // The flags of the main program, such as --eval, are none of the thread's.
  return new Worker(url, { name: "hearth-database", workerData: directory, execArgv: [] });
}
