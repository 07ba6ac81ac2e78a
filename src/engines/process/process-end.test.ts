// How a supervised process is got rid of: idle, in the way, or at the end of the service.

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, it } from "node:test";
import {
  closeAll,
  isAlive,
  NEVER,
  type Opened,
  openProcess,
  until,
} from "./fixtures/open-process.ts";
import { createMemoryBudget } from "./memory-budget.ts";

afterEach(closeAll);

async function runningPid(opened: Opened): Promise<number> {
  (await opened.process.enter(NEVER)).release();
  assert.ok(opened.process.pid !== undefined);
  return opened.process.pid;
}

describe("an idle process", () => {
  it("is unloaded after its time, and started again for the next call", async () => {
    const opened = openProcess();
    const pid = await runningPid(opened);
    opened.clock.advance(900_000);
    assert.equal(opened.process.state, "stopping");
    const next = opened.process.enter(NEVER);
    await next;
    assert.equal(isAlive(pid), false, "two never run at once");
    assert.deepEqual([opened.process.state, opened.starts()], ["ready", 2]);
  });

  it("is cold when nobody wants it again", async () => {
    const opened = openProcess();
    await runningPid(opened);
    opened.clock.advance(900_000);
    await until(() => opened.process.state === "cold");
    assert.deepEqual(opened.clock.pending, []);
  });

  it("is not one that somebody uses", async () => {
    const opened = openProcess();
    const lease = await opened.process.enter(NEVER);
    opened.clock.advance(900_000);
    assert.equal(opened.process.state, "ready");
    lease.release();
    lease.release();
    opened.clock.advance(899_999);
    assert.equal(opened.process.state, "ready");
    opened.clock.advance(1);
    assert.equal(opened.process.state, "stopping");
  });
});

describe("closing", () => {
  it("leaves no process behind, and tells those who use it", async () => {
    const opened = openProcess();
    const lease = await opened.process.enter(NEVER);
    const pid = await runningPid(opened);
    const down = opened.down();
    await opened.process.close();
    assert.match((await down).message, /shutting down/);
    assert.equal(isAlive(pid), false);
    lease.send({ type: "do", what: "echo" });
    lease.release();
    await assert.rejects(opened.process.enter(NEVER), { status: 503, message: /shutting down/ });
    assert.deepEqual([opened.process.state, opened.clock.pending], ["closed", []]);
  });

  it("kills one that does not stop", async () => {
    const opened = openProcess();
    const pid = await runningPid(opened);
    const defiant = opened.heard("defiant");
    await opened.tell("defy stop");
    await defiant;
    const closed = opened.process.close();
    await until(() => opened.clock.pending.includes(5000));
    assert.ok(isAlive(pid));
    opened.clock.advance(5000);
    await closed;
    assert.equal(isAlive(pid), false);
  });

  it("does not wait for a start that is under way", async () => {
    const opened = openProcess();
    opened.loads.push("never");
    const waiting = assert.rejects(opened.process.enter(NEVER), { status: 503 });
    await until(() => opened.process.pid !== undefined);
    const { pid } = opened.process;
    await opened.process.close();
    await waiting;
    assert.equal(isAlive(pid ?? 0), false);
  });

  it("ends the rest after a failure", async () => {
    const opened = openProcess();
    const down = opened.down();
    await opened.tell("exit");
    await down;
    const waiting = assert.rejects(opened.process.enter(NEVER), { status: 503 });
    await opened.process.close();
    await waiting;
    assert.deepEqual([opened.starts(), opened.clock.pending], [1, []]);
  });
});

it("a process whose service was killed goes too", async () => {
  const service = fork(new URL("./fixtures/service-with-process.ts", import.meta.url));
  const [pid] = await once(service, "message");
  assert.ok(isAlive(pid));
  service.kill("SIGKILL");
  await once(service, "exit");
  await until(() => !isAlive(pid));
});

it("what a process prints is bounded, and the operator is told what was left out", async () => {
  const opened = openProcess();
  const flooded = opened.heard("flooded");
  await opened.tell("flood");
  await flooded;
  const lines = (): string[] => opened.log.filter((line) => line.startsWith("line "));
  await until(() => lines().length === 100);
  opened.clock.advance(10_000);
  await opened.tell("flood");
  await until(() => lines().length === 200);
  assert.ok(opened.log.includes("(4900 lines left out)"));
  const down = opened.down();
  await opened.tell("exit");
  await down;
  assert.equal(lines().length, 200);
});

describe("the memory that several share", () => {
  const open = (budget = createMemoryBudget(100)) => {
    const { clock, ...first } = openProcess({ name: "first", bytes: 40, budget });
    const second = openProcess({ name: "second", bytes: 40, budget, clock });
    const third = openProcess({ name: "third", bytes: 60, budget, clock });
    return { budget, clock, first: { clock, ...first }, second, third };
  };

  it("is made by unloading those that were unused for longest", async () => {
    const { budget, clock, first, second, third } = open();
    await runningPid(first);
    clock.advance(1);
    await runningPid(second);
    clock.advance(1);
    await runningPid(first);
    await runningPid(third);
    const states = [first, second, third].map(({ process }) => process.state);
    assert.deepEqual(states, ["ready", "cold", "ready"]);
    assert.equal(budget.usedBytes, 100);
  });

  it("is not taken from one that is in use: 503 says how much is missing", async () => {
    const { first, second, third } = open();
    const leases = await Promise.all([first.process.enter(NEVER), second.process.enter(NEVER)]);
    await assert.rejects(third.process.enter(NEVER), {
      status: 503,
      message: /third needs 1 MiB of memory, and the models that are running leave 1 MiB/,
    });
    assert.equal(third.process.state, "cold");
    for (const lease of leases) lease.release();
    await runningPid(third);
  });

  it("does not cost anybody a place for one that could never fit", async () => {
    const budget = createMemoryBudget(100);
    const { first } = open(budget);
    await runningPid(first);
    const huge = openProcess({ name: "huge", bytes: 101, budget });
    await assert.rejects(huge.process.enter(NEVER), { status: 503, message: /local\.memory/ });
    assert.equal(first.process.state, "ready");
  });

  it("is free again when a process died", async () => {
    const { budget, first } = open();
    await runningPid(first);
    const down = first.down();
    await first.tell("exit");
    await down;
    await until(() => budget.usedBytes === 0);
  });
});

it("what a process printed while it served is in no warning and no error of its death", async () => {
  const opened = openProcess();
  const flooded = opened.heard("flooded");
  await opened.tell("flood");
  await flooded;
  const down = opened.down();
  await opened.tell("exit");
  const { message } = await down;
  assert.match(message, /stopped/);
  assert.ok(opened.warnings.length > 0);
  assert.doesNotMatch(message + JSON.stringify(opened.warnings), /line \d/);
});

it("what a process printed before it could serve is told with its death", async () => {
  const opened = openProcess();
  opened.loads.push("dying");
  await assert.rejects(opened.process.enter(NEVER));
  assert.match(JSON.stringify(opened.warnings), /out of memory/);
});
