// The caching header: accepted under the operator's name and its aliases. What is kept, and
// for how long, is the engine's own; a caller sees it in the usage.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { json } from "../support/mock-upstream-behaviours.ts";
import { openStage, replyOf, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage({ operator: { name: "acme", aliases: ["service", "heroku"] } });
});
after(() => stage.stop());

test("the caching header is accepted for the operator's name and its aliases", async () => {
  for (const name of [
    "X-Acme-Prompt-Caching",
    "X-Service-Prompt-Caching",
    "x-heroku-prompt-caching",
  ]) {
    for (const value of ["false", "true"]) {
      replyOf(await stage.chat({}, { headers: { [name]: value } }));
    }
  }
});

test("the caching header does not travel upstream", async () => {
  replyOf(await stage.chat({}, { headers: { "X-Acme-Prompt-Caching": "false" } }));
  const names = Object.keys(stage.upstream.requests.at(-1)?.headers ?? {});
  assert.deepEqual(
    names.filter((name) => name.includes("caching")),
    [],
  );
});

test("prompt tokens that the engine took from its cache are shown and counted once", async () => {
  stage.upstream.script(
    json({
      choices: [{ message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 2000,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 1500 },
      },
    }),
  );
  const { usage } = replyOf(await stage.chat());
  assert.deepEqual(usage, {
    prompt_tokens: 2000,
    completion_tokens: 3,
    total_tokens: 2003,
    prompt_tokens_details: { cached_tokens: 1500 },
  });
});
