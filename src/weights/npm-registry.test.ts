import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { startStandIn } from "./stand-in-fixture.ts";
import { modelBytes, publish, storeIn, temporaryDirectory } from "./weights-fixtures.ts";

const SOURCE = "npm:tiny@1.0.0/model.part";

async function stage(t: TestContext) {
  const registry = await startStandIn(t);
  const body = modelBytes(5_000);
  const published = publish(registry, { name: "tiny", body });
  const environment = { npm_config_registry: registry.url };
  return { registry, body, ...published, environment, ...storeIn(t, { environment }) };
}

describe("a registry without the weights", () => {
  for (const [what, source, message, status] of [
    ["package", "npm:missing@1.0.0/m", /does not have the package missing@1\.0\.0\. Check/, 404],
    ["version", "npm:tiny@2.0.0/m", /tiny has no version 2\.0\.0; the last ones are 1\.0\.0/, 404],
    [
      "file",
      "npm:tiny@1.0.0/m",
      /tiny@1\.0\.0 holds no file m; it has package\.json, model\.part/,
      404,
    ],
  ] as const) {
    it(`is told apart: no such ${what}`, async (t) => {
      const { store } = await stage(t);
      await assert.rejects(store.pull({ source }), (error) => {
        assert.ok(error instanceof Error && "status" in error);
        assert.equal(error.status, status);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it("is told apart: something else answers there", async (t) => {
    const { store, registry } = await stage(t);
    registry.pages.set("/tiny", { body: Buffer.from("<html>") });
    await assert.rejects(store.pull({ source: SOURCE }), /is it an npm registry\?/);
  });

  it("is told apart: nobody answers there", async (t) => {
    const { store } = storeIn(t, { environment: { npm_config_registry: "http://127.0.0.1:1" } });
    await assert.rejects(store.pull({ source: SOURCE }), /127\.0\.0\.1:1 failed \(ECONNREFUSED\)/);
  });
});

describe("a registry", () => {
  it("that mirrors another is asked for the tarball itself, under its own path", async (t) => {
    const registry = await startStandIn(t);
    const body = modelBytes(5_000);
    const { path } = publish(registry, { name: "tiny", body, base: "/npm/mirror" });
    const metadata = registry.pages.get("/npm/mirror/tiny")?.body?.toString() ?? "";
    const elsewhere = metadata.replaceAll(
      `${registry.url}/npm/mirror`,
      "https://elsewhere.invalid",
    );
    registry.pages.set("/npm/mirror/tiny", { body: Buffer.from(elsewhere) });
    const environment = { NPM_CONFIG_REGISTRY: `${registry.url}/npm/mirror` };
    const { store } = storeIn(t, { environment });
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
    assert.equal(registry.requestsFor(path).length, 1);
  });

  it("of a scope, and its token, come from the user's .npmrc", async (t) => {
    const registry = await startStandIn(t);
    const body = modelBytes(5_000);
    publish(registry, { name: "@own/tiny", body, tarball: { authorization: "Bearer secret" } });
    const host = new URL(registry.url).host;
    const environment = { npm_config_registry: "http://127.0.0.1:1", OWN_TOKEN: "secret" };
    const { store, home } = storeIn(t, { environment });
    const reference = { source: "npm:@own/tiny@1.0.0/model.part" };
    writeFileSync(join(home, ".npmrc"), `@own:registry=${registry.url}\n`);
    await assert.rejects(
      store.pull(reference),
      /refuses the package .* 401\. Log in with `npm login`/,
    );
    writeFileSync(
      join(home, ".npmrc"),
      `@own:registry=${registry.url}\n//${host}/:_authToken=\${OWN_TOKEN}\n`,
    );
    assert.deepEqual(readFileSync(await store.pull(reference)), body);
  });

  it("that redirects to another host does not make it a present of the token", async (t) => {
    const content = await startStandIn(t);
    const { store, registry, path, tgz, body, home } = await stage(t);
    content.pages.set("/blob", { body: tgz });
    registry.pages.set(path, { status: 302, headers: { location: `${content.url}/blob` } });
    writeFileSync(join(home, ".npmrc"), `//${new URL(registry.url).host}/:_authToken=secret\n`);
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
    assert.equal(registry.requestsFor(path)[0]?.authorization, "Bearer secret");
    assert.equal(content.requests[0]?.authorization, undefined);
  });

  it("is the one npm names where no setting does", async (t) => {
    const { registry, body } = await stage(t);
    const npm = join(temporaryDirectory(t), "npm-cli.js");
    writeFileSync(
      npm,
      `console.log(process.argv.slice(2).join(" ") === "config get registry" && "${registry.url}/")`,
    );
    const { store } = storeIn(t, { environment: { npm_execpath: npm } });
    assert.deepEqual(readFileSync(await store.pull({ source: SOURCE })), body);
  });

  it("is asked for by name where npm is not there either", async (t) => {
    const { store } = storeIn(t, { environment: { PATH: "/nonexistent" } });
    await assert.rejects(store.pull({ source: SOURCE }), /install npm, or set npm_config_registry/);
  });
});
