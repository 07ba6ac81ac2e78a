// Records, places and a clock for the tests of this folder.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Schedule } from "./schedule.ts";
import type { LedgerEntry, ResourceRecord } from "./store.ts";

export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "hearth-store-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function resourceRecord(id: string, changes: Partial<ResourceRecord> = {}): ResourceRecord {
  return {
    id,
    name: `inference-${id}`,
    model: "claude-4-5-haiku",
    plan: "model",
    createdAt: 1_700_000_000_000,
    keyHash: `${id}-key-0`,
    keyCreatedAt: 1_700_000_000_000,
    aliases: [],
    ...changes,
  };
}

export function ledgerEntry(id: string, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id,
    requestId: `request-${id}`,
    at: 1_700_000_000_000,
    resourceId: "resource-1",
    model: "claude-4-5-haiku",
    route: "/v1/chat/completions",
    status: 200,
    outcome: "ok",
    promptTokens: 100,
    completionTokens: 20,
    cachedTokens: 10,
    reasoningTokens: 5,
    estimated: false,
    durationMs: 12.5,
    ...changes,
  };
}

/** Tasks wait until the test runs them. */
export function manualSchedule() {
  const tasks: { readonly task: () => void; readonly delayMs: number }[] = [];
  const schedule: Schedule = (task, delayMs) => {
    const waiting = { task, delayMs };
    tasks.push(waiting);
    return () => {
      if (tasks.includes(waiting)) tasks.splice(tasks.indexOf(waiting), 1);
    };
  };
  return {
    schedule,
    delays: () => tasks.map(({ delayMs }) => delayMs),
    runNext() {
      const next = tasks.shift();
      if (next === undefined) throw new Error("nothing is scheduled");
      next.task();
    },
  };
}
