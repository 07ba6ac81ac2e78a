// The published settings against the server that reads them: every one explained, every
// variable understood, and the schema of one mind with the check at the start.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { createConfigSchema } from "../../docs/generate/config-schema.ts";
import { fixedSections, namedSections } from "../../docs/generate/settings.ts";
import { applyEnvironment, ConfigError, parseConfig } from "../../src/config/index.ts";

const settings = [...fixedSections, ...namedSections].flatMap((section) => section.settings);
const published = Compile(createConfigSchema());

const parse = (config: object) => parseConfig(JSON.stringify(config), "hearth.json", { KEY: "k" });

function isTaken(config: object): boolean {
  try {
    parse(config);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

const engine = { type: "openai", base_url: "http://127.0.0.1:8000/v1", api_key: "${KEY}" };

test("every setting has a meaning", () => {
  for (const { path, meaning } of settings) assert.notEqual(meaning, "", path);
});

test("every setting outside models and mcp has a default", () => {
  const sections: object = parse({});
  for (const { name, settings } of fixedSections) {
    const section = Object.entries(sections).find(([key]) => key === name)?.[1];
    const defaults = Object.fromEntries(
      settings.map(({ path, schema }) => [path.slice(name.length + 1), schema.default]),
    );
    assert.deepEqual(section, defaults, name);
  }
});

test("every environment variable on the page reaches its setting", () => {
  for (const { path, variable } of settings) {
    if (variable === undefined) continue;
    const [section = "", name = ""] = path.split(".");
    const config: unknown = applyEnvironment({}, { [variable]: "7" });
    assert.match(JSON.stringify(config), new RegExp(`^\\{"${section}":\\{"${name}":`));
  }
  assert.deepEqual(applyEnvironment({}, { PORT: "7", HOST: "::" }), {
    http: { host: "::", port: 7 },
  });
});

test("the published schema takes what the server takes", () => {
  for (const config of [
    {},
    { $schema: "./hearth.schema.json" },
    { operator: { name: "acme" } },
    { http: { port: 0, public_url: null, cors_origins: ["*"] }, shutdown: { grace: "5s" } },
    { models: { "my-haiku": { engine } } },
    {
      models: { "my-sonnet": { thinking: { max_budget_tokens: 2048 }, engine: [engine, engine] } },
    },
    { models: { m: { kind: "chat", tier: "mid", limits: { requests: null, tokens: 5 } } } },
    { mcp: { files: { command: "npx", args: ["x"] } } },
    { admin: { port: 9, token: "a-token-of-the-operator" } },
  ]) {
    assert.equal(isTaken(config), true, JSON.stringify(config));
    assert.equal(published.Check(config), true, JSON.stringify(config));
  }
});

test("the published schema refuses what the server refuses", () => {
  for (const config of [
    { unknown: 1 },
    { http: { prt: 1 } },
    { http: { port: "8080" } },
    { http: { port: 65_536 } },
    { shutdown: { grace: "30" } },
    { operator: { name: "Acme" } },
    { log: { level: "loud" } },
    { models: { m: { engine: { type: "openai" } } } },
    { models: { m: { engine: { type: "x", base_url: "http://h" } } } },
    { models: { m: { tier: "large" } } },
    { models: { m: { limits: { requests: 0 } } } },
  ]) {
    assert.equal(isTaken(config), false, JSON.stringify(config));
    assert.equal(published.Check(config), false, JSON.stringify(config));
  }
});

test("an id that no model can have is refused by the server and by the published schema", () => {
  for (const id of ["a b", "!", "x".repeat(129)]) {
    const config = { models: { [id]: { engin: 1 } } };
    assert.equal(published.Check(config), false, id);
    assert.equal(isTaken(config), false, id);
  }
});

test("text that the environment fills in passes the published schema", () => {
  const config = { models: { m: { engine: { ...engine, base_url: "${URL}/v1" } } } };
  assert.equal(published.Check(config), true);
});

test("the example on the page is a configuration", () => {
  const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
  const [, example = ""] = /```jsonc\n([\s\S]*?)```/.exec(page) ?? [];
  const config = parseConfig(example, "hearth.json", { VLLM_KEY: "k" });
  assert.ok(config.models["my-haiku"]);
  assert.equal(published.Check(JSON.parse(example)), true);
});
