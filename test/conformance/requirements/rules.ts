// Authentication, events, errors and versions.

import { later, proved, type Section, testsOf } from "./requirement.ts";

const request = testsOf("test/conformance/chat-request.test.ts");
const thinking = testsOf("test/conformance/chat-thinking.test.ts");
const reply = testsOf("test/conformance/chat-reply.test.ts");
const stream = testsOf("test/conformance/chat-stream.test.ts");
const authentication = testsOf("test/conformance/authentication.test.ts");
const access = testsOf("test/conformance/access.test.ts");
const errors = testsOf("test/conformance/errors.test.ts");
const limits = testsOf("test/conformance/rate-limits.test.ts");
const routes = testsOf("test/conformance/later-routes.test.ts");
const keys = testsOf("src/gate/keys.test.ts");

const images = routes("POST /v1/images/generations answers 501 until it is built");
const servers = routes("GET /v1/mcp/servers answers 501 until it is built");

export const ruleSections: readonly Section[] = [
  {
    title: "Authentication",
    requirements: [
      proved(
        "authentication.1",
        "Rule 1: Authorization: Bearer KEY on every request",
        authentication("a key sent as a Bearer token opens the service"),
        authentication("every route of the service asks for the key"),
      ),
      proved(
        "authentication.2",
        "Rule 2: INFERENCE_KEY, INFERENCE_MODEL_ID, INFERENCE_URL for chat and embeddings",
        access(
          "INFERENCE_URL, INFERENCE_KEY and INFERENCE_MODEL_ID are all that a chat client needs",
        ),
      ),
      proved(
        "authentication.3",
        "Rule 3: DIFFUSION_* for images, a prefix of its own for each further model",
        access(
          "an image model comes as DIFFUSION, an embedding model as EMBEDDING, a rerank model as RERANK",
        ),
        access("a further model carries a prefix of its own, counted up or as the operator says"),
      ),
      proved(
        "authentication.4",
        "Rule 4: one key a model; with another model it is 403",
        access("two models have two keys, and neither opens the other's"),
        access("a valid key used with another key's model is 403"),
      ),
      proved(
        "authentication.5",
        "Rule 5: missing, malformed, truncated, regenerated, encoded or padded is 401",
        authentication("a request without a key is 401 Unauthorized"),
        authentication("a malformed key is 401"),
        authentication("a truncated or lengthened key is 401"),
        authentication("a regenerated key is good at once and its old value is 401 at once"),
        authentication("a URL-encoded key is 401"),
        authentication("a key padded with whitespace is 401"),
      ),
      proved(
        "authentication.6",
        "Rule 6: the form of a key is ours to choose: inf- and a UUID",
        keys("a new key has the form that is accepted"),
      ),
      later(
        "authentication.7",
        "Rule 7: credentials of an integrator's tool servers pass through configuration",
        servers,
      ),
    ],
  },
  {
    title: "Events",
    requirements: [
      proved(
        "events.chunks",
        "The only events are a stream's chunks, ended by data: [DONE]",
        stream("a stream is written byte for byte as documented"),
        stream("a stream ends with the line data: [DONE]"),
      ),
      proved(
        "events.webhooks",
        "No webhooks or other notifications",
        errors("webhooks and other notifications do not exist"),
      ),
    ],
  },
  {
    title: "Errors",
    requirements: [
      proved(
        "errors.401",
        "401: Invalid API key provided, or Unauthorized",
        authentication("a request without a key is 401 Unauthorized"),
        authentication("a key of the right form that nobody was given is 401"),
      ),
      proved(
        "errors.403",
        "403: You do not have access to that model; type authorization_error",
        access("a valid key used with another key's model is 403"),
      ),
      proved(
        "errors.429",
        "429: Rate limit exceeded, by requests or tokens",
        limits("one request too many is 429 with the wait, and costs the upstream nothing"),
        limits("more tokens than are left are 429, counted with what is still running"),
      ),
      proved(
        "errors.request-id",
        "Every error carries a request id to quote",
        errors(
          "an error body has code, message, type and request id, and the message at the top too",
        ),
        errors("a request id is on every reply, good or not"),
      ),
      proved(
        "errors.limit-headers",
        "X-RateLimit-Limit, -Remaining and -Reset-Requests on replies",
        limits("six headers say how a key stands on a good reply, whole and streamed"),
        limits("six headers are on every error that an authenticated caller gets"),
      ),
      proved(
        "errors.extended_thinking",
        "extended_thinking fails on a model that does not have it",
        thinking(
          "extended_thinking is for the mid tier of the generations 3.7 and 4, and refused by every other model",
        ),
      ),
      later(
        "errors.image-parameters",
        "An image parameter the model lacks fails unless allow_ignored_params is true",
        images,
      ),
      proved(
        "errors.length",
        "finish_reason length is a success",
        reply("finish_reason is length, with status 200, where the output was cut"),
      ),
      proved(
        "errors.body",
        "The shape of an error body is ours to choose, and one for all",
        errors(
          "an error body has code, message, type and request id, and the message at the top too",
        ),
      ),
      proved(
        "errors.parameters",
        "The status of a parameter out of range is ours to choose: 400, naming field and range",
        request("temperature is 1.0 by default and goes from 0.0 to 1.0"),
        request("an unknown field is refused by its name unless allow_ignored_params is true"),
      ),
    ],
  },
];

export const versioningSection: Section = {
  title: "Versioning",
  requirements: [
    proved(
      "versioning.path",
      "The version is the path prefix /v1",
      errors("an unknown path is 404, also without the version or with another one"),
    ),
    later("versioning.manifest", "MCP manifests have a version of their own", servers),
  ],
};
