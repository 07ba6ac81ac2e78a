// The worker that owns the database: fsync, checkpoints and long queries happen here, so
// that none of them stops the thread that serves HTTP. One call at a time, in order.

import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./database.ts";
import {
  type Call,
  OPENING,
  type OperationName,
  type Operations,
  type Reply,
  toFailure,
} from "./database-calls.ts";
import { text } from "./parse-field.ts";

function perform<Name extends OperationName>(operations: Operations, call: Call<Name>): Reply {
  try {
    return { id: call.id, result: operations[call.operation](...call.values) };
  } catch (error) {
    return { id: call.id, failure: toFailure(error) };
  }
}

function serve(send: (reply: Reply) => void) {
  let operations: Operations;
  try {
    operations = openDatabase(text(workerData));
  } catch (error) {
    send({ id: OPENING, failure: toFailure(error) });
    return;
  }
  parentPort?.on("message", (call: Call) => {
    send(perform(operations, call));
    if (call.operation === "close") parentPort?.close();
  });
  send({ id: OPENING, result: undefined });
}

serve((reply) => parentPort?.postMessage(reply));
