// What the service is, and its routes.

import { later, proved, type Section, testsOf, unbuilt } from "./requirement.ts";

const request = testsOf("test/conformance/chat-request.test.ts");
const reply = testsOf("test/conformance/chat-reply.test.ts");
const stream = testsOf("test/conformance/chat-stream.test.ts");
const authentication = testsOf("test/conformance/authentication.test.ts");
const access = testsOf("test/conformance/access.test.ts");
const errors = testsOf("test/conformance/errors.test.ts");
const routes = testsOf("test/conformance/later-routes.test.ts");
const client = testsOf("test/conformance/convention-client.test.ts");
const caching = testsOf("test/conformance/prompt-caching.test.ts");
const catalog = testsOf("src/catalog/catalog.test.ts");
const call = testsOf("src/dialects/chat/to-call.test.ts");

const NO_CACHE = "Hearth keeps no prompt yet; an upstream may keep its own, and hits show in usage";
const cacheHits = caching(
  "prompt tokens that the engine took from its cache are shown and counted once",
);
const notOffered = errors("a route of the convention that is not offered is a 404 that says so");

export const serviceSection: Section = {
  title: "The service",
  requirements: [
    proved(
      "service.convention",
      "A client of the usual convention works with another base address and key",
      client("the convention's own client works with another base address and key"),
    ),
    proved(
      "service.chat",
      "A conversation in, one assistant message out",
      reply("a reply has all its fields and no others"),
    ),
    later(
      "service.image",
      "A prompt in, one image out",
      routes("POST /v1/images/generations answers 501 until it is built"),
    ),
    proved(
      "service.provisioned",
      "A caller reaches only models provisioned for its key",
      access("two models have two keys, and neither opens the other's"),
    ),
    proved(
      "service.tier-word",
      "A chat model's id holds its tier: haiku is small, sonnet is mid",
      access("the tier of a chat model is a word in its id"),
      catalog("reads the tier from the word in a chat model's id"),
    ),
  ],
};

export const endpointSections: readonly Section[] = [
  {
    title: "Endpoints",
    requirements: [
      proved(
        "endpoints.authorization",
        "Every route asks for the Authorization header",
        authentication("every route of the service asks for the key"),
      ),
      proved(
        "endpoints.json",
        "Bodies are JSON and declared so",
        errors("a body that is not declared as application/json is 415"),
        errors("a body that is no JSON object is 400"),
      ),
      proved(
        "endpoints.chat",
        "POST /v1/chat/completions: 200 with a chat completion",
        reply("a reply has all its fields and no others"),
      ),
      proved(
        "endpoints.chat-stream",
        "With stream: text/event-stream, one JSON chunk a data line, then data: [DONE]",
        request("stream is false by default and makes the reply an event stream when true"),
        stream("a stream is written byte for byte as documented"),
        stream("a stream ends with the line data: [DONE]"),
      ),
      unbuilt(
        "endpoints.caching-header",
        "X-<Operator>-Prompt-Caching: false turns caching off for the request",
        "accepted under the operator's name and aliases and handed to the engine; none caches yet",
        caching("the caching header is accepted for the operator's name and its aliases"),
        call("stream and prompt caching reach the call"),
      ),
      unbuilt("caching.automatic", "Prompt caching is on by itself", NO_CACHE, cacheHits),
      unbuilt("caching.prefix", "It keeps system prompts and tools only", NO_CACHE, cacheHits),
      unbuilt("caching.history", "User messages and history are never kept", NO_CACHE, cacheHits),
      unbuilt("caching.minimum", "Only content of a least size is kept", NO_CACHE, cacheHits),
      unbuilt(
        "caching.expiry",
        "An entry ends five minutes after its last use",
        NO_CACHE,
        cacheHits,
      ),
      unbuilt("caching.price", "Writes and hits cost nothing extra", NO_CACHE, cacheHits),
      later(
        "endpoints.images",
        "POST /v1/images/generations: 200 with an image",
        routes("POST /v1/images/generations answers 501 until it is built"),
      ),
      later(
        "endpoints.mcp",
        "GET /v1/mcp/servers: an array of the key's servers",
        routes("GET /v1/mcp/servers answers 501 until it is built"),
      ),
    ],
  },
  {
    title: "Other routes",
    requirements: [
      later(
        "routes.embeddings",
        "POST /v1/embeddings: one text or up to 96, for documents or queries; 1024 dimensions",
        routes("POST /v1/embeddings answers 501 until it is built"),
      ),
      later(
        "routes.messages",
        "POST /v1/messages: the vendor's own message style",
        routes("POST /v1/messages answers 501 until it is built"),
      ),
      later(
        "routes.agents",
        "POST /v1/agents/<operator>: a loop that runs tools by itself",
        routes(
          "POST /v1/agents/<operator> answers 501 until it is built, for the name and its aliases",
        ),
      ),
      later(
        "routes.rerank",
        "POST /v1/rerank: documents by relevance",
        routes("POST /v1/rerank answers 501 until it is built"),
      ),
    ],
  },
  {
    title: "Routes not offered",
    requirements: [
      proved("not-offered.moderations", "POST /v1/moderations", notOffered),
      proved("not-offered.transcriptions", "POST /v1/audio/transcriptions", notOffered),
      proved("not-offered.speech", "POST /v1/audio/speech", notOffered),
      proved("not-offered.models", "GET /v1/models", notOffered),
      proved("not-offered.files", "POST /v1/files", notOffered),
      proved("not-offered.fine-tuning", "POST /v1/fine-tuning/jobs", notOffered),
      proved(
        "not-offered.families",
        "No fine-tuning, batches, assistants, audio or moderation",
        errors(
          "fine-tuning, batches, assistants, audio and moderation are unavailable by any name",
        ),
      ),
    ],
  },
];
