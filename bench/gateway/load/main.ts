// The load generator, a process of its own: takes an order, carries it out, says what it saw.

import { answerParent } from "../program.ts";
import { runClosedLoop } from "./closed-loop.ts";
import { type LoadOrder, LoadOrderSchema, type LoadResult } from "./orders.ts";
import { runPacedStreams } from "./paced-streams.ts";

const carryOut = (order: LoadOrder): Promise<LoadResult> =>
  order.load.type === "paced"
    ? runPacedStreams(order, order.load)
    : runClosedLoop(order, order.load);

answerParent({ port: 0, schema: LoadOrderSchema, answer: carryOut });
