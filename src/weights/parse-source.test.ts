import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileName, parseSource } from "./parse-source.ts";

describe("a source of weights", () => {
  for (const [text, expected, name] of [
    [
      "npm:@own/m-part1@1.2.3/dir/model.part+m-part2@1.2.3-beta.1/model.part",
      {
        kind: "npm",
        parts: [
          { packageName: "@own/m-part1", version: "1.2.3", file: "dir/model.part" },
          { packageName: "m-part2", version: "1.2.3-beta.1", file: "model.part" },
        ],
      },
      "model.gguf",
    ],
    [
      "npm:m@1.0.0/a+b.onnx",
      { kind: "npm", parts: [{ packageName: "m", version: "1.0.0", file: "a+b.onnx" }] },
      "a+b.onnx",
    ],
    [
      "hf:Qwen/Qwen3-8B-GGUF/q4/m.gguf",
      { kind: "hub", repository: "Qwen/Qwen3-8B-GGUF", file: "q4/m.gguf", revision: "main" },
      "m.gguf",
    ],
    [
      "hf:a/b/m.gguf@refs/pr/1",
      { kind: "hub", repository: "a/b", file: "m.gguf", revision: "refs/pr/1" },
      "m.gguf",
    ],
    ["file:../m.gguf", { kind: "file", path: "../m.gguf" }, "m.gguf"],
  ] as const) {
    it(`is read: ${text}`, () => {
      assert.deepEqual(parseSource(text), expected);
      assert.equal(fileName(parseSource(text)), name);
    });
  }

  for (const [text, message] of [
    ["m.gguf", /is no source of weights; write npm:/],
    ["http://host/m.gguf", /is no source of weights/],
    ["npm:tiny/model.gguf", /"tiny\/model\.gguf" in npm:.* does not have the form PACKAGE@VERSION/],
    ["npm:tiny@latest/model.gguf", /name an exact version/],
    ["npm:tiny@1.0.0", /does not have the form/],
    ["hf:owner/m.gguf", /does not have the form hf:OWNER/],
    ["file:", /names no file/],
  ] as const) {
    it(`is refused with what to write: ${text}`, () => {
      assert.throws(() => parseSource(text), message);
    });
  }
});
