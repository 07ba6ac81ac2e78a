import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ConfigError, loadConfig, parseConfig } from "./load-config.ts";

const parse = (text: string, environment = {}) => parseConfig(text, "hearth.json", environment);

describe("configuration", () => {
  it("is whole with nothing written", () => {
    const config = parse("{}");
    assert.equal(config.operator.name, "hearth");
    assert.deepEqual(config.operator.aliases, ["service", "heroku"]);
    assert.equal(config.http.body_limit, "32MiB");
  });

  it("may hold comments and trailing commas", () => {
    assert.equal(parse('{ // why\n "http": { "port": 1, /* so */ }, }').http.port, 1);
  });

  it("takes secrets from the environment", () => {
    const text =
      '{"models":{"m":{"engine":{"type":"openai","base_url":"http://h/v1","api_key":"${K}"}}}}';
    const engine = parse(text, { K: "secret" }).models.m?.engine;
    assert.deepEqual(engine, { type: "openai", base_url: "http://h/v1", api_key: "secret" });
    assert.throws(() => parse(text), /models\.m\.engine\.api_key wants the environment variable K/);
  });

  it("lets an environment variable win over the file", () => {
    const config = parse('{"http":{"port":1,"body_limit":"1MiB"}}', {
      PORT: "2",
      HEARTH_HTTP_CORS_ORIGINS: "https://a.example, https://b.example",
      HEARTH_STORE_KEEP_CONFIG_VARIABLES: "false",
    });
    assert.equal(config.http.port, 2);
    assert.equal(config.http.body_limit, "1MiB");
    assert.deepEqual(config.http.cors_origins, ["https://a.example", "https://b.example"]);
    assert.equal(config.store.keep_config_variables, false);
  });

  for (const [what, text, message] of [
    ["an unknown setting", '{"http":{"prt":1}}', /http: unknown setting prt/],
    [
      "a value that does not fit",
      '{"http":{"port":"x"}}',
      /http\.port: must be integer.*found "x"/,
    ],
    ["a duration without unit", '{"shutdown":{"grace":"30"}}', /shutdown\.grace: .*found "30"/],
    ["broken JSON with its place", '{\n  "http" 1}', /hearth\.json:2:10: ColonExpected/],
    ["an engine without address", '{"models":{"m":{"engine":{"type":"openai"}}}}', /base_url/],
    [
      "an unknown engine",
      '{"models":{"m":{"engine":{"type":"x"}}}}',
      /engine\.type: must be "openai"/,
    ],
    ["an id that no model can have", '{"models":{"a b":{}}}', /"a b" cannot be a model's id/],
    ["an admin port without token", '{"admin":{"port":9}}', /admin\.port needs admin\.token/],
    ["a file that holds no object", "[]", /must hold a JSON object/],
  ] as const) {
    it(`names ${what}`, () => {
      assert.throws(
        () => parse(text),
        (error) => error instanceof ConfigError && message.test(error.message),
      );
    });
  }

  it("may be absent unless the operator named it", () => {
    const path = "/nonexistent/hearth.json";
    assert.equal(loadConfig({ path, required: false, environment: {} }).http.port, 8080);
    assert.throws(() => loadConfig({ path, required: true, environment: {} }), /does not exist/);
  });
});
