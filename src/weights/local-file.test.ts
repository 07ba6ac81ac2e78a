import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import {
  digestOf,
  filesBelow,
  modelBytes,
  storeIn,
  temporaryDirectory,
} from "./weights-fixtures.ts";

function stage(t: TestContext) {
  const configDirectory = temporaryDirectory(t);
  const body = modelBytes(5_000);
  const path = join(configDirectory, "own.gguf");
  writeFileSync(path, body);
  return { path, body, configDirectory, ...storeIn(t, { configDirectory }) };
}

describe("weights in a file of the operator's", () => {
  it("are used in place, from an absolute path or one beside hearth.json", async (t) => {
    const { store, path } = stage(t);
    assert.equal(await store.find({ source: `file:${path}` }), path);
    assert.equal(await store.pull({ source: "file:own.gguf" }), path);
  });

  it("are checked against a sha256, and not read again while they stay the same", async (t) => {
    const { store, path, body } = stage(t);
    const reference = { source: "file:own.gguf", sha256: digestOf(body) };
    const stages: string[] = [];
    const options = { onProgress: ({ stage }: { stage: string }) => stages.push(stage) };
    assert.equal(await store.pull(reference, options), path);
    assert.deepEqual(stages, ["checking"]);
    assert.equal(await store.pull(reference, options), path);
    assert.deepEqual(stages, ["checking"]);
    const later = new Date(statSync(path).mtimeMs + 5_000);
    utimesSync(path, later, later);
    await store.pull(reference, options);
    assert.deepEqual(stages, ["checking", "checking"]);
  });

  it("are refused with another sha256, by name in a pull and silently in a search", async (t) => {
    const { store, body } = stage(t);
    const reference = { source: "file:own.gguf", sha256: "0".repeat(64) };
    await assert.rejects(store.pull(reference), new RegExp(`has sha256 ${digestOf(body)}`));
    assert.equal(await store.find(reference), undefined);
  });

  it("are described, and nothing but a note is written for them", async (t) => {
    const { store, path, body, directory } = stage(t);
    const described = await store.describe({ source: "file:own.gguf" });
    assert.deepEqual(described, { path, bytes: 5_000, sha256: digestOf(body) });
    assert.deepEqual(filesBelow(directory), ["weights.json"]);
    assert.deepEqual(readFileSync(path), body);
  });

  it("are told apart when missing, a folder, or no model", async (t) => {
    const { store, configDirectory } = stage(t);
    writeFileSync(join(configDirectory, "page.gguf"), "<html>");
    mkdirSync(join(configDirectory, "folder"));
    await assert.rejects(store.pull({ source: "file:none.gguf" }), /none\.gguf does not exist/);
    await assert.rejects(store.pull({ source: "file:folder" }), /folder is not a file/);
    await assert.rejects(store.pull({ source: "file:page.gguf" }), /page\.gguf is no GGUF file/);
    assert.equal(await store.find({ source: "file:none.gguf" }), undefined);
  });

  it("may be of another format where their name says so", async (t) => {
    const { store, configDirectory } = stage(t);
    const path = join(configDirectory, "model.onnx");
    writeFileSync(path, "onnx");
    assert.equal(await store.find({ source: "file:model.onnx" }), path);
  });
});
