// The life of a supervised process, with real ones: only time is turned by hand.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { closeAll, isAlive, NEVER, openProcess, until } from "./fixtures/open-process.ts";

afterEach(closeAll);

/** The process that runs now. */
function pidOf({ process }: ReturnType<typeof openProcess>): number {
  assert.ok(process.pid !== undefined);
  return process.pid;
}

describe("a process starts", () => {
  it("when it is first needed, and once for all who wait", async () => {
    const opened = openProcess();
    assert.equal(opened.process.state, "cold");
    const waiting = Array.from({ length: 5 }, () => opened.process.enter(NEVER));
    await until(() => opened.process.state === "starting");
    await Promise.all(waiting);
    assert.deepEqual([opened.process.state, opened.starts()], ["ready", 1]);
    const echo = opened.heard("echo");
    await opened.tell("echo");
    await echo;
    assert.equal(opened.starts(), 1);
  });

  it("before it is needed, where it is warmed", async () => {
    const opened = openProcess();
    opened.process.warm();
    await until(() => opened.process.state === "ready");
    assert.ok(isAlive(pidOf(opened)));
  });

  it("even if the one who asked first goes away, for those who still wait", async () => {
    const { process, starts } = openProcess();
    const controller = new AbortController();
    const reason = new Error("gone");
    const first = process.enter(controller.signal);
    const second = process.enter(NEVER);
    controller.abort(reason);
    await assert.rejects(first, (error) => error === reason);
    await second;
    assert.equal(starts(), 1);
  });

  it("with none of the service's secrets in its environment", async () => {
    process.env.HEARTH_TEST_SECRET = "not for children";
    const { tell, heard } = openProcess();
    const told = heard("environment");
    await tell("tell environment");
    delete process.env.HEARTH_TEST_SECRET;
    const { names } = (await told) as { names: string[] };
    assert.ok(names.includes("PATH"));
    assert.deepEqual(
      names.filter((name) => name.startsWith("HEARTH") || name.startsWith("npm_")),
      [],
    );
  });
});

describe("a process that does not start", () => {
  it("gives those who wait 503 with its reason", async () => {
    const { process, loads } = openProcess();
    loads.push("badly");
    await assert.rejects(process.enter(NEVER), {
      status: 503,
      type: "overloaded_error",
      message: "the engine of a-model could not be loaded: these are no weights",
      retryAfterSeconds: 1,
    });
    assert.equal(process.state, "failed");
  });

  it("leaves its exit code to the callers and its last words to the operator", async () => {
    const { process, loads, log } = openProcess();
    loads.push("dying");
    await assert.rejects(process.enter(NEVER), (error: Error) => {
      assert.equal(error.message, "the engine of a-model stopped (exit code 3)");
      assert.match((error.cause as Error).message, /cannot map the file\nout of memory$/);
      return true;
    });
    assert.ok(log.includes("the engine stopped (exit code 3)"));
  });

  it("is killed when the time for it is over", async () => {
    const opened = openProcess();
    opened.loads.push("never");
    const waiting = opened.process.enter(NEVER);
    await until(() => opened.clock.pending.includes(60_000) && opened.process.pid !== undefined);
    const pid = pidOf(opened);
    opened.clock.advance(60_000);
    await assert.rejects(waiting, { status: 503, message: /was not loaded within 60 s/ });
    await until(() => !isAlive(pid));
  });

  it("is tried again by the next call, after a rest that doubles", async () => {
    const { process, loads, clock, starts } = openProcess();
    loads.push("badly", "badly", "badly", "badly");
    for (const restMs of [500, 1000, 2000, 4000]) {
      const waiting = process.enter(NEVER);
      const outcome = assert.rejects(waiting, { status: 503 });
      await until(() => process.restMs === 0 || clock.pending.includes(process.restMs));
      clock.advance(process.restMs);
      await outcome;
      assert.equal(process.restMs, restMs);
    }
    await assert.rejects(process.enter(NEVER), {
      message: "the engine of a-model keeps failing; the log says why",
      retryAfterSeconds: 4,
    });
    assert.equal(starts(), 4, "nobody started it for the call that was refused");
    clock.advance(4000);
    (await process.enter(NEVER)).release();
    assert.equal(process.state, "ready");
  });
});

describe("a process that dies", () => {
  for (const [what, how] of [
    ["exit", "exit code 7"],
    ["abort", "signal SIGABRT"],
  ] as const) {
    it(`by ${what} tells its users at once and comes back after a rest`, async () => {
      const opened = openProcess();
      const { process, clock } = opened;
      const down = opened.down();
      await opened.tell(what);
      assert.match((await down).message, new RegExp(`stopped \\(${how}\\)`));
      assert.deepEqual([process.state, process.restMs], ["failed", 500]);
      await until(() => clock.pending.includes(500));
      const waiting = process.enter(NEVER);
      clock.advance(500);
      (await waiting).release();
      assert.deepEqual([process.state, opened.starts()], ["ready", 2]);
    });
  }

  it("again and again rests longer each time, until it has stayed up for a while", async () => {
    const opened = openProcess();
    const rests: number[] = [];
    const die = async (): Promise<void> => {
      const down = opened.down();
      await opened.tell("exit");
      await down;
      rests.push(opened.process.restMs);
      await until(() => opened.clock.pending.includes(opened.process.restMs));
      opened.clock.advance(opened.process.restMs);
      await until(() => opened.process.state === "ready");
    };
    await die();
    await die();
    opened.clock.advance(60_000);
    await die();
    assert.deepEqual(rests, [500, 1000, 500]);
  });

  it("without having been used stays away until it is", async () => {
    const opened = openProcess();
    opened.process.warm();
    await until(() => opened.process.state === "ready");
    const down = opened.down();
    process.kill(pidOf(opened), "SIGKILL");
    await down;
    opened.clock.advance(500);
    await new Promise(setImmediate);
    assert.deepEqual([opened.process.state, opened.starts()], ["failed", 1]);
  });

  it("does not touch another one", async () => {
    const [first, second] = [openProcess(), openProcess({ name: "another-model" })];
    await second.tell("echo");
    const down = first.down();
    await first.tell("abort");
    await down;
    const echo = second.heard("echo");
    await second.tell("echo");
    await echo;
    assert.deepEqual([second.process.state, second.starts()], ["ready", 1]);
  });
});

describe("a process that is stuck", () => {
  it("is killed when it gave no sign of life for the limit", async () => {
    const opened = openProcess();
    const down = opened.down();
    await opened.tell("hang");
    const pid = pidOf(opened);
    for (let beat = 0; beat < 13; beat++) opened.clock.advance(5000);
    assert.match((await down).message, /gave no sign of life for 60 s/);
    await until(() => !isAlive(pid));
  });

  it("is not mistaken for one by a clock that jumped", async () => {
    const opened = openProcess();
    await opened.tell("echo");
    const alive = opened.heard("alive");
    opened.clock.advance(600_000);
    await alive;
    assert.equal(opened.process.state, "ready");
  });

  it("is not a process that answers", async () => {
    const opened = openProcess();
    await opened.tell("echo");
    for (let beat = 0; beat < 30; beat++) {
      const alive = opened.heard("alive");
      opened.clock.advance(5000);
      await alive;
    }
    assert.equal(opened.process.state, "ready");
  });
});
