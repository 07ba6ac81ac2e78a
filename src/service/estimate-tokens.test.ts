import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestCall } from "../../test/support/mock-upstream-caller.ts";
import type { Call } from "../call/index.ts";
import { estimateUsage, fitOutputCap, measurePrompt, tokensToReserve } from "./estimate-tokens.ts";

const capped = (maxOutputTokens: number, more: Partial<Call> = {}): Call =>
  createTestCall({ maxOutputTokens, ...more });

describe("the reservation of a call", () => {
  it("is a cautious count of the prompt and the whole output cap", () => {
    assert.equal(tokensToReserve({ textBytes: 300, images: 0 }, capped(50)), 150);
  });

  it("counts a picture as a picture, not as the text that carries it", () => {
    const data = "A".repeat(90_000);
    const call = capped(50, {
      messages: [
        {
          role: "user",
          parts: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", mediaType: "image/png", data } },
          ],
        },
      ],
    });
    assert.deepEqual(measurePrompt(call, 90_300), { textBytes: 300, images: 1 });
    assert.equal(tokensToReserve(measurePrompt(call, 90_300), call), 100 + 1600 + 50);
  });
});

describe("the output cap of a call that names none", () => {
  it("is the model's maximum where the context has room for it", () => {
    const call = capped(4096);
    assert.equal(fitOutputCap(call, { textBytes: 3000, images: 0 }, 32_768), call);
  });

  it("is what the prompt leaves of a small context", () => {
    const fitted = fitOutputCap(capped(8192), { textBytes: 3000, images: 0 }, 8192);
    assert.equal(fitted.maxOutputTokens, 7192);
  });

  it("never leaves less than a short answer after the thinking", () => {
    const call = capped(8192, { thinking: { budgetTokens: 2048 } });
    assert.equal(fitOutputCap(call, { textBytes: 90_000, images: 0 }, 8192).maxOutputTokens, 2304);
  });
});

describe("an estimate of usage", () => {
  it("says that it is one", () => {
    assert.deepEqual(estimateUsage({ textBytes: 400, images: 0 }, 40), {
      promptTokens: 100,
      completionTokens: 10,
      estimated: true,
    });
  });
});
