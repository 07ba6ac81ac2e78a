// What the parent asks of the load generator and of the upstream, and what it hears back.

import { type Static, Type } from "typebox";

export const StreamShapeSchema = Type.Object({
  chunks: Type.Integer({ minimum: 1 }),
  /** 0: all chunks in one write. */
  intervalMs: Type.Integer({ minimum: 0 }),
});

const ClosedLoopSchema = Type.Object({
  type: Type.Union([Type.Literal("requests"), Type.Literal("bursts")]),
  /** Each of so many connections sends its next request when the last is answered. */
  concurrency: Type.Integer({ minimum: 1 }),
  durationMs: Type.Integer({ minimum: 1 }),
  /** How long the subject may put work off that still counts; 0: not waited for. */
  restMs: Type.Integer({ minimum: 0 }),
  /** Chunks that every stream must have. */
  chunks: Type.Integer({ minimum: 0 }),
});

const PacedSchema = Type.Object({
  type: Type.Literal("paced"),
  /** So many streams open at once, one on each connection. */
  concurrency: Type.Integer({ minimum: 1 }),
  /** The part that is measured, once all of them run. */
  durationMs: Type.Integer({ minimum: 1 }),
  chunks: Type.Integer({ minimum: 0 }),
});

export const LoadOrderSchema = Type.Object({
  /** The process whose CPU time and memory count. */
  pid: Type.Integer(),
  port: Type.Integer(),
  headers: Type.Record(Type.String(), Type.String()),
  model: Type.String(),
  load: Type.Union([ClosedLoopSchema, PacedSchema]),
});

export const LoadResultSchema = Type.Object({
  replies: Type.Integer(),
  chunks: Type.Integer(),
  seconds: Type.Number(),
  cpuSeconds: Type.Number(),
  /** Of those, on the main thread; null where the system does not tell threads apart. */
  mainThreadSeconds: Type.Union([Type.Number(), Type.Null()]),
  residentBytes: Type.Integer(),
  generatorCpuSeconds: Type.Number(),
  /** Milliseconds: of whole replies, or how late chunks came after they were written. */
  p50: Type.Number(),
  p99: Type.Number(),
});

export type StreamShape = Static<typeof StreamShapeSchema>;
export type ClosedLoop = Static<typeof ClosedLoopSchema>;
export type Paced = Static<typeof PacedSchema>;
export type LoadOrder = Static<typeof LoadOrderSchema>;
export type LoadResult = Static<typeof LoadResultSchema>;
