import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseNpmrc, readNpmSettings } from "./read-npmrc.ts";
import { temporaryDirectory } from "./weights-fixtures.ts";

describe("npm's settings", () => {
  it("are read as npm writes them", () => {
    const text = [
      "; a comment",
      "# another",
      "registry = https://one.example/npm/ ",
      '@own:registry="https://two.example/"',
      "//one.example/npm/:_authToken=${TOKEN}",
      "//two.example/:_auth=abc==",
      "unset=${NOBODY}",
      "no value",
    ].join("\r\n");
    assert.deepEqual(Object.fromEntries(parseNpmrc(text, { TOKEN: "secret" })), {
      registry: "https://one.example/npm/",
      "@own:registry": "https://two.example/",
      "//one.example/npm/:_authToken": "secret",
      "//two.example/:_auth": "abc==",
      unset: "${NOBODY}",
    });
  });

  it("count in npm's order: environment, project, user, global", async (t) => {
    const [project, home] = [temporaryDirectory(t), temporaryDirectory(t)];
    const globalconfig = join(home, "global");
    const lines = (...names: string[]) => names.map((name) => `${name}=`).join("\n");
    const write = (path: string, value: string, names: string[]) =>
      writeFileSync(path, lines(...names).replaceAll("=", `=${value}`));
    write(join(project, ".npmrc"), "project", ["registry", "b", "c"]);
    write(join(home, ".npmrc"), "user", ["registry", "b", "@own:registry"]);
    write(globalconfig, "global", ["registry", "e"]);
    const environment = {
      HOME: home,
      NPM_CONFIG_REGISTRY: "environment",
      npm_config_globalconfig: globalconfig,
      "npm_config_//host/:_authToken": "token",
    };
    const settings = await readNpmSettings(environment, project);
    const found = ["registry", "b", "@own:registry", "e", "//host/:_authToken", "f"];
    assert.deepEqual(found.map(settings.get), [
      "environment",
      "project",
      "user",
      "global",
      "token",
      undefined,
    ]);
  });

  it("may be nowhere", async (t) => {
    const nowhere = temporaryDirectory(t);
    assert.equal((await readNpmSettings({ HOME: nowhere }, nowhere)).get("registry"), undefined);
  });
});
