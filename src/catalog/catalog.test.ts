import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCatalog } from "./catalog.ts";

const engine = { type: "openai", base_url: "http://127.0.0.1:9/v1" } as const;

describe("catalog", () => {
  const catalog = createCatalog({});

  it("gives the model classes the numbers of the specification", () => {
    const limits = (id: string) => catalog.find(id)?.limits;
    assert.deepEqual(limits("claude-4-5-sonnet"), { requests: 150, tokens: 800_000 });
    assert.deepEqual(limits("claude-3-5-haiku"), { requests: 200, tokens: 800_000 });
    assert.deepEqual(limits("nova-pro"), { requests: 150, tokens: 800_000 });
    assert.deepEqual(limits("nova-lite"), { requests: 150, tokens: 800_000 });
    assert.deepEqual(limits("stable-image-ultra"), { requests: 20, tokens: null });
    assert.deepEqual(limits("claude-3-haiku"), { requests: 250, tokens: 800_000 });
    assert.deepEqual(limits("gpt-oss-120b"), { requests: 200, tokens: 800_000 });
    assert.deepEqual(limits("cohere-embed-multilingual"), { requests: 500, tokens: 800_000 });
    assert.deepEqual(limits("cohere-rerank-3-5"), { requests: 250, tokens: null });
  });

  it("caps the output at 4096 for the small tier and 8192 for the mid tier", () => {
    assert.equal(catalog.find("claude-3-5-haiku")?.maxOutputTokens, 4096);
    assert.equal(catalog.find("claude-4-5-sonnet")?.maxOutputTokens, 8192);
  });

  it("lets exactly the 3.7 and 4 generation of the mid tier think", () => {
    const gateway = createCatalog({}, { local: false });
    const thinking = gateway.all().filter((model) => model.thinking !== null);
    assert.deepEqual(
      thinking.map(({ tier, generation }) => [tier, generation]),
      [
        ["mid", "4"],
        ["mid", "3.7"],
      ],
    );
  });

  it("gives the mid tier 4.5 generation a context of 200K tokens", () => {
    assert.equal(catalog.find("claude-4-5-sonnet")?.context, 200_000);
  });

  it("reads the tier from the word in a chat model's id", () => {
    const own = createCatalog({
      "my-haiku": { engine },
      "my-sonnet-2": { engine },
      plain: { engine },
    });
    assert.equal(own.find("my-haiku")?.tier, "small");
    assert.equal(own.find("my-haiku")?.maxOutputTokens, 4096);
    assert.equal(own.find("my-sonnet-2")?.tier, "mid");
    assert.equal(own.find("plain")?.tier, null);
  });

  it("lists only models that something runs", () => {
    assert.deepEqual(createCatalog({}, { local: false }).listing(), []);
    const own = createCatalog(
      { "claude-3-5-haiku": { engine }, pictures: { kind: "image", engine } },
      { local: false },
    );
    assert.deepEqual(own.listing(), [
      { model_id: "claude-3-5-haiku", type: ["text-to-text"], regions: ["local"] },
      { model_id: "pictures", type: ["text-to-image"], regions: ["local"] },
    ]);
  });

  it("lays configuration over a well-known entry and keeps the rest of it", () => {
    const own = createCatalog({
      "claude-4-5-sonnet": {
        engine,
        limits: { requests: 5 },
        thinking: { max_budget_tokens: 2048 },
      },
    });
    const model = own.find("claude-4-5-sonnet");
    assert.deepEqual(model?.limits, { requests: 5, tokens: 800_000 });
    assert.deepEqual(model?.thinking, { minBudgetTokens: 1024, maxBudgetTokens: 2048 });
    assert.equal(model?.context, 200_000);
    assert.equal(model?.engines.length, 1);
  });

  it("has a small and a mid chat model that run inside, unless they are switched off", () => {
    const local = catalog.available();
    assert.deepEqual(
      local.map(({ id, tier, context, limits }) => [id, tier, context, limits]),
      [
        ["hearth-1-haiku", "small", 2048, { requests: 200, tokens: 800_000 }],
        ["hearth-1-sonnet", "mid", 2048, { requests: 150, tokens: 800_000 }],
      ],
    );
    assert.deepEqual(
      local.map(({ thinking }) => thinking),
      [null, { minBudgetTokens: 1024, maxBudgetTokens: 1536 }],
    );
    const [haiku, sonnet] = local.map(({ engines }) => engines);
    assert.deepEqual(haiku, sonnet, "one process can serve both");
    assert.equal(createCatalog({}, { local: false }).find("hearth-1-haiku"), undefined);
  });

  it("keeps the engine of a model that configuration only limits", () => {
    const own = createCatalog({ "hearth-1-haiku": { limits: { requests: 5 } } });
    const model = own.find("hearth-1-haiku");
    assert.deepEqual([model?.limits.requests, model?.engines[0]?.type], [5, "llama"]);
  });

  it("does not find ids that are properties of every object", () => {
    for (const id of ["__proto__", "constructor", "toString"]) {
      assert.equal(catalog.find(id), undefined);
    }
  });
});
