// Nothing that is generated may be edited by hand or left behind: `npm run docs` writes it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { generateFiles } from "../../docs/generate/files.ts";

const root = new URL("../../", import.meta.url);

for (const { path, text } of await generateFiles()) {
  test(`${path} is what its sources say; npm run docs brings it up to date`, async () => {
    const found = await readFile(new URL(path, root), "utf8");
    assert.ok(found === text, `${path} is out of date: run npm run docs`);
  });
}
