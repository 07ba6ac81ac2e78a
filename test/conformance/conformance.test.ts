// Holds docs/conformance.md to its word: every requirement of the specification has a row,
// every row a proof, and every proof is a test that exists and is run.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Requirement, sections } from "./requirements/index.ts";

/** How many rows and rules each part of the specification has. */
const ROWS: Readonly<Record<string, number>> = {
  "The service": 5,
  "Chat completion request": 15,
  "Tool object": 4,
  "tool_choice meanings": 4,
  "extended_thinking object": 4,
  "Chat completion response": 14,
  "Streaming chunk": 7,
  "Image generation request": 8,
  "Image generation response": 4,
  "MCP server record": 4,
  "MCP server manifest": 7,
  Endpoints: 13,
  "Other routes": 4,
  "Routes not offered": 7,
  Authentication: 7,
  Events: 2,
  Errors: 10,
  Limits: 12,
  "Rate limits": 5,
  Versioning: 2,
};

const all: readonly Requirement[] = sections.flatMap(({ requirements }) => requirements);

const place = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const page = readFileSync(place("docs/conformance.md"), "utf8");

test("every part of the specification has as many requirements as it has rows and rules", () => {
  const counts = Object.fromEntries(
    sections.map(({ title, requirements }) => [title, requirements.length]),
  );
  assert.deepEqual(counts, ROWS);
});

test("every requirement has an id of its own", () => {
  const ids = all.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test("every requirement is a row of docs/conformance.md, in its section and with its state", () => {
  for (const { title, requirements } of sections) {
    for (const { words, state } of requirements) {
      const start = `| ${title} | ${words.replaceAll("<", "&lt;")} | `;
      const row = page.split("\n").find((line) => line.startsWith(start));
      assert.ok(row?.includes(` | \`${state}\``), `${title}: ${words}`);
    }
  }
});

test("docs/conformance.md has no row without a requirement", () => {
  const rows = page.split("\n").filter((line) => /^\| .+ › .+ \|$/.test(line));
  assert.equal(rows.length, all.length);
});

test("every proof is a test of that exact name in that file", () => {
  for (const { id, proofs } of all) {
    assert.notEqual(proofs.length, 0, `${id} has no proof`);
    for (const { file, test: name } of proofs) {
      assert.ok(existsSync(place(file)), `${id}: there is no file ${file}`);
      assert.ok(namesOf(file).has(name), `${id}: ${file} has no test "${name}"`);
    }
  }
});

test("only the tests of routes that answer 501 prove that a part is not built", () => {
  const later = "test/conformance/later-routes.test.ts";
  for (const { id, state, proofs } of all) {
    const only501 = proofs.every(({ file }) => file === later);
    assert.equal(state === "answers 501 until built", only501, id);
  }
});

test("a part that is not built yet tells what is there today", () => {
  for (const { id, state, today } of all) {
    assert.equal(today !== undefined && today !== "", state === "not built yet", id);
  }
});

const known = new Map<string, ReadonlySet<string>>();

/** The names of a file's tests; one that is skipped or only a plan does not count. */
function namesOf(file: string): ReadonlySet<string> {
  const names = known.get(file) ?? readNames(readFileSync(place(file), "utf8"));
  known.set(file, names);
  return names;
}

function readNames(source: string): ReadonlySet<string> {
  const calls = source.matchAll(/^\s*(?:test|it)\(\s*("(?:[^"\\]|\\.)*")\s*,(?!\s*\{)/gm);
  return new Set(Array.from(calls, ([, literal]) => JSON.parse(literal ?? '""')));
}
