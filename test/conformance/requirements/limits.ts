// Limits, and rates a minute.

import { later, proved, type Section, testsOf, unbuilt } from "./requirement.ts";

const request = testsOf("test/conformance/chat-request.test.ts");
const thinking = testsOf("test/conformance/chat-thinking.test.ts");
const reply = testsOf("test/conformance/chat-reply.test.ts");
const limits = testsOf("test/conformance/rate-limits.test.ts");
const routes = testsOf("test/conformance/later-routes.test.ts");
const caching = testsOf("test/conformance/prompt-caching.test.ts");
const catalog = testsOf("src/catalog/catalog.test.ts");
const admission = testsOf("src/gate/admission.test.ts");
const window = testsOf("src/gate/shared-state-contract.ts");

const images = routes("POST /v1/images/generations answers 501 until it is built");
const classes = catalog("gives the model classes the numbers of the specification");
const announced = limits("every model class announces its own requests and tokens a minute");

export const limitSections: readonly Section[] = [
  {
    title: "Limits",
    requirements: [
      later("limits.prompt", "Image prompt: 10,000 characters", images),
      later("limits.negative_prompt", "Image negative_prompt: 10,000 characters", images),
      proved(
        "limits.max_completion_tokens",
        "max_completion_tokens: 4096 small tier, 8192 mid tier",
        request("max_completion_tokens goes to 4096 on the small tier and to 8192 on the mid tier"),
        catalog("caps the output at 4096 for the small tier and 8192 for the mid tier"),
      ),
      proved(
        "limits.temperature",
        "temperature: 0.0 to 1.0",
        request("temperature is 1.0 by default and goes from 0.0 to 1.0"),
      ),
      proved(
        "limits.top_p",
        "top_p: 0 to 1.0",
        request("top_p is 0.999 by default and goes from 0 to 1.0"),
      ),
      later("limits.seed", "Image seed: 0 to 4294967295", images),
      proved(
        "limits.budget_tokens",
        "extended_thinking.budget_tokens: 1024 up to the model's maximum",
        thinking("extended_thinking.budget_tokens is at least 1024 and at most what the model has"),
      ),
      later(
        "limits.embedding-inputs",
        "Embedding inputs: 96 a request",
        routes("POST /v1/embeddings answers 501 until it is built"),
      ),
      proved(
        "limits.context",
        "Context of the mid tier 4.5 generation: 200K tokens",
        catalog("gives the mid tier 4.5 generation a context of 200K tokens"),
      ),
      proved(
        "limits.choices",
        "Choices a chat reply: 1",
        reply("choices has exactly one element of index 0, also when more were asked for or came"),
      ),
      later("limits.images", "Images an image reply: 1", images),
      unbuilt(
        "limits.cache-lifetime",
        "A cached prompt lives for 5 minutes after its last use",
        "Hearth keeps no prompt yet; an upstream may keep its own, and hits show in usage",
        caching("prompt tokens that the engine took from its cache are shown and counted once"),
      ),
    ],
  },
  {
    title: "Rate limits",
    requirements: [
      proved("rates.sonnet-4-5", "Mid tier 4.5: 150 requests, 800,000 tokens", classes, announced),
      proved("rates.haiku-3-5", "Small tier 3.5: 200 requests, 800,000 tokens", classes, announced),
      proved(
        "rates.second-family",
        "Pro and Lite of the second family: 150 requests, 800,000 tokens",
        classes,
        announced,
      ),
      proved(
        "rates.image",
        "Image model: 20 requests, no token limit",
        classes,
        limits("a model without a token limit sends the three headers of requests alone"),
      ),
      proved(
        "rates.sliding-minute",
        "Counted for each provisioned model over a sliding minute",
        window("it decides as the definition does, step by step"),
        window("waiting as long as it says is enough, and a millisecond less is not"),
        admission("10,000 concurrent requests against a limit of 150 admit exactly 150"),
        admission("the buckets of two resources never touch, and neither do those of two models"),
      ),
    ],
  },
];
