import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { startStandIn } from "./stand-in-fixture.ts";
import { modelBytes, publish, storeIn, temporaryDirectory } from "./weights-fixtures.ts";

const FIXTURE = fileURLToPath(new URL("./kill-fixture.ts", import.meta.url));
const SOURCE = "npm:tiny@1.0.0/model.part";

/** A puller in a process of its own; `told` resolves at its first line of that beginning. */
function startPuller(t: TestContext, directory: string, registry: string) {
  const child = spawn(process.execPath, [FIXTURE, directory, registry, SOURCE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const listener of listeners) listener();
  });
  const told = (beginning: string): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.find((line) => line.startsWith(beginning));
        if (found !== undefined) resolve(found.slice(beginning.length).trim());
      };
      listeners.add(look);
      look();
    });
  return { child, told };
}

describe("pullers in several processes", () => {
  it("go on where one was killed, with nobody's lock in the way", async (t) => {
    const registry = await startStandIn(t);
    const body = modelBytes(300_000);
    const { path } = publish(registry, {
      name: "tiny",
      body,
      tarball: { etag: '"one"', faults: [{ stallAfter: 200_000, until: new Promise(() => {}) }] },
    });
    const directory = temporaryDirectory(t);
    const puller = startPuller(t, directory, registry.url);
    await puller.told("fetching 200000");
    const environment = { npm_config_registry: registry.url };
    const { store } = storeIn(t, { directory, environment });
    assert.equal(await store.find({ source: SOURCE }), undefined);
    const ended = once(puller.child, "exit");
    puller.child.kill("SIGKILL");
    await ended;
    let waited = false;
    const onWaiting = () => {
      waited = true;
    };
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE }, { onWaiting })), body);
    assert.equal(waited, false);
    assert.equal(registry.requestsFor(path)[1]?.range, "bytes=200000-");
  });

  it("wait for the one that came first, and take what it fetched", async (t) => {
    const registry = await startStandIn(t);
    const body = modelBytes(300_000);
    const bothThere = Promise.withResolvers<void>();
    const { path } = publish(registry, {
      name: "tiny",
      body,
      tarball: { faults: [{ stallAfter: 1_000, until: bothThere.promise }] },
    });
    const directory = temporaryDirectory(t);
    const first = startPuller(t, directory, registry.url);
    await first.told("fetching 1000");
    const second = startPuller(t, directory, registry.url);
    await second.told("waiting");
    bothThere.resolve();
    const paths = await Promise.all([first.told("path"), second.told("path")]);
    assert.equal(paths[0], paths[1]);
    assert.deepEqual(readFileSync(paths[0]), body);
    assert.equal(registry.requestsFor(path).length, 1);
  });

  it("take over from one that is killed while they wait", async (t) => {
    const registry = await startStandIn(t);
    const body = modelBytes(300_000);
    publish(registry, {
      name: "tiny",
      body,
      tarball: { faults: [{ stallAfter: 1_000, until: new Promise(() => {}) }] },
    });
    const directory = temporaryDirectory(t);
    const first = startPuller(t, directory, registry.url);
    await first.told("fetching 1000");
    const second = startPuller(t, directory, registry.url);
    await second.told("waiting");
    first.child.kill("SIGKILL");
    assert.deepEqual(readFileSync(await second.told("path")), body);
  });
});
