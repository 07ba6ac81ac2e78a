import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { mock, test } from "node:test";
import { inBlocks } from "./log-stream.ts";

test("lines are gathered until a block is full, then written at once", async () => {
  const blocks: string[] = [];
  const stream = inBlocks({ write: (block) => blocks.push(block) }, 8, 100);
  stream.write("abc\n");
  assert.deepEqual(blocks, []);
  stream.write("def\n");
  assert.deepEqual(blocks, ["abc\ndef\n"]);
  stream.write("gh\n");
  await stream.flush();
  await stream.flush();
  assert.deepEqual(blocks, ["abc\ndef\n", "gh\n"]);
});

test("no line is held back longer than the given time, even when more arrive", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const blocks: string[] = [];
    const stream = inBlocks({ write: (block) => blocks.push(block) }, 1_000, 100);
    stream.write("a\n");
    mock.timers.tick(60);
    stream.write("b\n");
    mock.timers.tick(39);
    assert.deepEqual(blocks, []);
    mock.timers.tick(1);
    assert.deepEqual(blocks, ["a\nb\n"]);
    mock.timers.tick(1_000);
    assert.equal(blocks.length, 1);
  } finally {
    mock.timers.reset();
  }
});

function child(script: string): ChildProcess {
  const log = JSON.stringify(import.meta.resolve("./log.ts"));
  const source = `import { createLog } from ${log}; const log = createLog({ level: "info" }); ${script}`;
  return spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function linesOf(running: ChildProcess): Promise<unknown[]> {
  assert.ok(running.stderr);
  const [output] = await Promise.all([text(running.stderr), once(running, "close")]);
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).n);
}

const counted = "for (let n = 0; n < 3000; n++) log.info({ n }, 'x'.repeat(50));";
const all = Array.from({ length: 3000 }, (_, n) => n);

for (const [ending, script] of Object.entries({
  "that ends by itself": counted,
  "that calls exit": `${counted} process.exit(0);`,
  "that flushes before it exits": `${counted} await log.flush(); process.reallyExit(0);`,
  "that logs while it exits":
    "process.once('exit', () => { for (let n = 1500; n < 3000; n++) log.info({ n }, 'x'); }); for (let n = 0; n < 1500; n++) log.info({ n }, 'x');",
  "that dies of an error": `process.on('uncaughtException', () => process.exit(1)); ${counted} throw new Error();`,
})) {
  test(`a process ${ending} loses no line`, async () => {
    const lines = await linesOf(child(script));
    assert.deepEqual(
      lines.sort((a, b) => Number(a) - Number(b)),
      all,
    );
  });
}

test("a process that is told to end writes the line it still holds", async () => {
  const running = child(
    "process.once('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1e6); log.info({ n: 1 }, 'x'); console.log('up');",
  );
  assert.ok(running.stdout);
  await once(running.stdout, "data");
  running.kill("SIGTERM");
  assert.deepEqual(await linesOf(running), [1]);
});

test("a reader of the log who goes away does not take the process down", async () => {
  const running = child(
    `process.stdin.on('data', () => {}); let turns = 0; console.log('up');
     setImmediate(function turn() { ${counted} if (++turns < 50) setImmediate(turn); else console.log('done'); });`,
  );
  assert.ok(running.stderr && running.stdout);
  running.stderr.destroy();
  const [output] = await Promise.all([text(running.stdout), once(running, "close")]);
  assert.match(output, /done/);
  assert.equal(running.exitCode, 0);
});

test("a reader of the log who stands still does not keep the process from its exit", async () => {
  const running = child(`for (let turn = 0; turn < 5; turn++) { ${counted} } process.exit(0);`);
  assert.ok(running.stderr);
  running.stderr.pause();
  const [code] = await once(running, "exit");
  assert.equal(code, 0);
  running.stderr.destroy();
});

test("lines that a slow reader's bounded memory cannot hold are dropped, counted and reported", async () => {
  const running = child(
    `const big = 'x'.repeat(1000);
     for (let n = 0; n < 12_000; n++) log.info({ n }, big);
     await log.flush();
     log.info({ n: 12_000 }, 'after');
     await log.flush();`,
  );
  assert.ok(running.stderr);
  const [output] = await Promise.all([text(running.stderr), once(running, "close")]);
  const lines = output.trimEnd().split("\n");
  const notice = lines.find((line) => line.includes("log lines were dropped"));
  const dropped: unknown = JSON.parse(notice ?? "{}").lines;
  assert.ok(typeof dropped === "number" && dropped > 0);
  assert.equal(lines.length - 1 + dropped, 12_001);
  assert.match(lines.at(-1) ?? "", /"msg":"after"/);
});
