import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readUsage } from "./read-usage.ts";

const counts = { prompt_tokens: 10, completion_tokens: 5 };
const read = { promptTokens: 10, completionTokens: 5, estimated: false };

describe("usage", () => {
  test("is found at the top, in Groq's corner, and inside the choice", () => {
    assert.deepEqual(readUsage({ usage: counts }), read);
    assert.deepEqual(readUsage({ x_groq: { id: "r", usage: counts } }), read);
    assert.deepEqual(readUsage({ choices: [{ usage: counts }] }), read);
  });

  test("is read from llama.cpp's timings where there is nothing else", () => {
    assert.deepEqual(readUsage({ timings: { prompt_n: 4, cache_n: 6, predicted_n: 5 } }), {
      ...read,
      cachedTokens: 6,
    });
  });

  test("is absent, not zero, where the upstream does not say", () => {
    for (const usage of [undefined, null, {}, { prompt_tokens: 3 }, { completion_tokens: 3 }, 7]) {
      assert.equal(readUsage({ usage }), undefined);
    }
    assert.equal(readUsage({ usage: { prompt_tokens: -1, completion_tokens: 2 } }), undefined);
    assert.equal(readUsage({ usage: { prompt_tokens: 1.5, completion_tokens: 2 } }), undefined);
    assert.equal(readUsage({ timings: { prompt_ms: 3 } }), undefined);
    assert.equal("cachedTokens" in (readUsage({ usage: counts }) ?? {}), false);
  });

  test("completes a missing completion count from the total", () => {
    assert.deepEqual(readUsage({ usage: { prompt_tokens: 10, total_tokens: 15 } }), read);
  });

  test("counts cached tokens once, also where an upstream counts them apart", () => {
    const cached = (cached_tokens: number) =>
      readUsage({ usage: { ...counts, prompt_tokens_details: { cached_tokens } } });
    assert.deepEqual(cached(8), { ...read, cachedTokens: 8 });
    assert.deepEqual(cached(90), { ...read, promptTokens: 100, cachedTokens: 90 });
  });
});
