import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { type Page, startStandIn } from "./stand-in-fixture.ts";
import { digestOf, filesBelow, modelBytes, storeIn } from "./weights-fixtures.ts";

const SOURCE = "hf:owner/repo/sub/tiny.gguf";
const ADDRESS = "/owner/repo/resolve/main/sub/tiny.gguf";

/** A hub that redirects to a content network, as the public one does for large files. */
async function stage(
  t: TestContext,
  change: { hub?: Page; content?: Page; address?: string } = {},
) {
  const [hub, content] = [await startStandIn(t), await startStandIn(t)];
  const body = modelBytes(40_000);
  hub.pages.set(change.address ?? ADDRESS, {
    status: 302,
    headers: {
      location: `${content.url}/blob?signed=1`,
      "x-linked-etag": `"${digestOf(body)}"`,
    },
    ...change.hub,
  });
  content.pages.set("/blob?signed=1", { body, etag: '"s3-tag"', ...change.content });
  const environment = { HF_ENDPOINT: hub.url };
  return { hub, content, body, environment, ...storeIn(t, { environment }) };
}

describe("weights from a hub", () => {
  it("come through its redirect, under the file's own name", async (t) => {
    const { store, body, directory } = await stage(t);
    const path = await store.pull({ source: SOURCE });
    assert.deepEqual(readFileSync(path), body);
    assert.deepEqual(filesBelow(directory), ["pull.lock", "tiny.gguf", "weights.json"]);
    assert.equal((await store.describe({ source: SOURCE }))?.sha256, digestOf(body));
  });

  it("are asked for with the token, which the content network never sees", async (t) => {
    const { hub, content, environment } = await stage(t, { hub: { authorization: "Bearer hf_x" } });
    hub.pages.set(ADDRESS, {
      ...hub.pages.get(ADDRESS),
      status: 302,
      headers: { location: `${content.url}/blob?signed=1` },
    });
    const { store } = storeIn(t, { environment: { ...environment, HF_TOKEN: "hf_x" } });
    await store.pull({ source: SOURCE });
    assert.equal(hub.requests[0]?.authorization, "Bearer hf_x");
    assert.equal(content.requests[0]?.authorization, undefined);
  });

  it("are of the revision that is named", async (t) => {
    const { store, body } = await stage(t, {
      address: "/owner/repo/resolve/refs%2Fpr%2F1/sub/tiny.gguf",
    });
    const path = await store.pull({ source: `${SOURCE}@refs/pr/1` });
    assert.deepEqual(readFileSync(path), body);
  });

  it("go on from the content network after a break", async (t) => {
    const arrived = Promise.withResolvers<void>();
    const { store, content, body } = await stage(t, {
      content: { faults: [{ cutAfter: 9_000, once: arrived.promise }] },
    });
    const path = await store.pull(
      { source: SOURCE },
      {
        onProgress: ({ doneBytes }) => doneBytes === 9_000 && arrived.resolve(),
      },
    );
    assert.deepEqual(readFileSync(path), body);
    assert.equal(content.requests[1]?.range, "bytes=9000-");
    assert.equal(content.requests[1]?.ifRange, '"s3-tag"');
  });

  it("are refused when they are not what the hub says they are", async (t) => {
    const { store, directory } = await stage(t, { content: { body: modelBytes(40_000) } });
    await assert.rejects(store.pull({ source: SOURCE }), /tiny\.gguf .* came damaged/);
    assert.deepEqual(filesBelow(directory), ["pull.lock"]);
  });

  it("are refused before the first byte when the hub has others than asked for", async (t) => {
    const { store, directory } = await stage(t);
    const progress: number[] = [];
    const pulling = store.pull(
      { source: SOURCE, sha256: "0".repeat(64) },
      { onProgress: ({ doneBytes }) => progress.push(doneBytes) },
    );
    await assert.rejects(pulling, /correct the sha256, or name another revision/);
    assert.ok(progress.every((bytes) => bytes === 0));
    assert.ok(!filesBelow(directory).includes("tiny.gguf"));
  });

  it("come without a digest too, as small files do", async (t) => {
    const { store, hub } = await stage(t);
    const body = Buffer.from("{}");
    hub.pages.set("/owner/repo/resolve/main/config.json", { body, etag: '"0123abcd"' });
    const path = await store.pull({ source: "hf:owner/repo/config.json" });
    assert.deepEqual(readFileSync(path), body);
  });

  it("that nobody may read without a token say which variable to set", async (t) => {
    const { store, hub } = await stage(t);
    hub.pages.set(ADDRESS, { status: 401, headers: { "x-error-message": "Gated repo" } });
    await assert.rejects(store.pull({ source: SOURCE }), /401 \(Gated repo\)\. .*set HF_TOKEN/);
  });

  it("that are not there say what to check", async (t) => {
    const { store } = await stage(t);
    await assert.rejects(
      store.pull({ source: "hf:owner/repo/other.gguf" }),
      /does not have other\.gguf of owner\/repo at main\. Check owner, repository/,
    );
  });

  it("behind a redirect without end are given up", async (t) => {
    const { store, hub } = await stage(t, { hub: { status: 307, headers: { location: ADDRESS } } });
    await assert.rejects(store.pull({ source: SOURCE }), /redirects more than 5 times/);
    assert.equal(hub.requests.length, 6);
  });

  it("behind a redirect to no web address are given up", async (t) => {
    const { store } = await stage(t, {
      hub: { status: 302, headers: { location: "file:///etc" } },
    });
    await assert.rejects(store.pull({ source: SOURCE }), /no address to follow/);
  });
});
