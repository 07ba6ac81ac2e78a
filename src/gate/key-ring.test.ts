import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { ServiceError } from "../call/index.ts";
import type { ResourceRecord } from "../store/index.ts";
import { createKeyRing, type HeaderValue, type KeyRing } from "./key-ring.ts";
import { hashKey } from "./keys.ts";

const KEY = "inf-3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const OTHER_KEY = "inf-7c9e6679-7425-40de-944b-e07fc1f90ae7";

const recordOf = (key: string, id = "resource-1"): ResourceRecord => ({
  id,
  name: `inference-amber-${id}`,
  model: "my-haiku",
  plan: "model",
  createdAt: 1,
  keyHash: hashKey(key),
  keyCreatedAt: 1,
  aliases: ["INFERENCE"],
});

function ringWith(...records: ResourceRecord[]): KeyRing {
  const ring = createKeyRing();
  ring.replaceAll(records);
  return ring;
}

function refusalOf(ring: KeyRing, authorization: HeaderValue, apiKey?: HeaderValue): ServiceError {
  try {
    ring.authenticate(authorization, apiKey);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  throw new assert.AssertionError({ message: "the key was accepted" });
}

test("a key in force gives its resource, without the hash of the key", () => {
  const resource = ringWith(recordOf(KEY)).authenticate(`Bearer ${KEY}`);
  assert.equal(resource.id, "resource-1");
  assert.ok(!("keyHash" in resource));
});

test("each key gives its own resource and never another one", () => {
  const ring = ringWith(recordOf(KEY, "one"), recordOf(OTHER_KEY, "two"));
  assert.equal(ring.authenticate(`Bearer ${KEY}`).id, "one");
  assert.equal(ring.authenticate(`Bearer ${OTHER_KEY}`).id, "two");
});

describe("a wrong key is a 401 that says so", () => {
  const wrong: Record<string, HeaderValue> = {
    "never issued": `Bearer ${OTHER_KEY}`,
    "of no known form": "Bearer hello",
    truncated: `Bearer ${KEY.slice(0, -1)}`,
    "cut at the front": `Bearer ${KEY.slice(1)}`,
    "without its prefix": `Bearer ${KEY.slice(4)}`,
    "with something behind it": `Bearer ${KEY}0`,
    "URL-encoded": `Bearer ${KEY.replaceAll("-", "%2D")}`,
    "URL-encoded whole": `Bearer%20${KEY}`,
    "padded on the left": `Bearer  ${KEY}`,
    "padded on the right": `Bearer ${KEY} `,
    "padded with a tab": `Bearer ${KEY}\t`,
    "padded with a line feed": `Bearer ${KEY}\n`,
    "padded with a no-break space": `Bearer \u00a0${KEY}`,
    "with a space inside": `Bearer ${KEY.slice(0, 20)} ${KEY.slice(20)}`,
    "behind a tab": `Bearer\t${KEY}`,
    "behind a leading space": ` Bearer ${KEY}`,
    "in upper case": `Bearer ${KEY.toUpperCase()}`,
    "with upper-case digits": `Bearer inf-${KEY.slice(4).toUpperCase()}`,
    "in quotes": `Bearer "${KEY}"`,
    "in angle brackets": `Bearer <${KEY}>`,
    "of another UUID version": `Bearer ${KEY.replace("-41d3-", "-11d3-")}`,
    "with no scheme": KEY,
    "of another scheme": `Basic ${KEY}`,
    "with its scheme doubled": `Bearer Bearer ${KEY}`,
    "doubled in one header": `Bearer ${KEY}, Bearer ${KEY}`,
    "doubled with one scheme": `Bearer ${KEY},${KEY}`,
    "sent in two headers": [`Bearer ${KEY}`, `Bearer ${KEY}`],
    "a scheme alone": "Bearer",
    "an empty key": "Bearer ",
    "its own hash": `Bearer ${hashKey(KEY)}`,
  };
  for (const [how, header] of Object.entries(wrong)) {
    test(how, () => {
      const { status, type, message } = refusalOf(ringWith(recordOf(KEY)), header);
      assert.deepEqual(
        { status, type, message },
        { status: 401, type: "authentication_error", message: "Invalid API key provided" },
      );
    });
  }
});

test("no credentials at all are a 401 of their own", () => {
  for (const nothing of [undefined, "", []]) {
    const { status, type, message } = refusalOf(ringWith(recordOf(KEY)), nothing);
    assert.deepEqual(
      { status, type, message },
      { status: 401, type: "authentication_error", message: "Unauthorized" },
    );
  }
});

test("x-api-key counts where it is passed on, and exactly as strictly", () => {
  const ring = ringWith(recordOf(KEY));
  assert.equal(ring.authenticate(undefined, KEY).id, "resource-1");
  for (const wrong of [`Bearer ${KEY}`, ` ${KEY}`, `${KEY} `, OTHER_KEY, `${KEY}, ${KEY}`]) {
    assert.equal(refusalOf(ring, undefined, wrong).message, "Invalid API key provided");
  }
});

test("where both headers are sent, Authorization decides", () => {
  const ring = ringWith(recordOf(KEY, "one"), recordOf(OTHER_KEY, "two"));
  assert.equal(ring.authenticate(`Bearer ${KEY}`, OTHER_KEY).id, "one");
  assert.equal(refusalOf(ring, "Bearer nonsense", OTHER_KEY).status, 401);
});

test("a key that was taken out is refused at once", () => {
  const ring = ringWith(recordOf(KEY));
  ring.remove(hashKey(KEY));
  ring.put(recordOf(OTHER_KEY));
  assert.equal(refusalOf(ring, `Bearer ${KEY}`).status, 401);
  assert.equal(ring.authenticate(`Bearer ${OTHER_KEY}`).id, "resource-1");
});

test("while the store cannot be read, known keys work and unknown ones are told to come back", () => {
  const ring = ringWith(recordOf(KEY));
  ring.markIncomplete();
  assert.equal(ring.authenticate(`Bearer ${KEY}`).id, "resource-1");
  const { status, type, retryAfterSeconds } = refusalOf(ring, `Bearer ${OTHER_KEY}`);
  assert.deepEqual([status, type, retryAfterSeconds], [503, "overloaded_error", 1]);
  assert.equal(refusalOf(ring, "Bearer nonsense").status, 401);
  ring.replaceAll([recordOf(KEY)]);
  assert.equal(refusalOf(ring, `Bearer ${OTHER_KEY}`).status, 401);
});

test("no error shows the key that caused it", () => {
  const ring = ringWith(recordOf(KEY));
  for (const header of [`Bearer ${OTHER_KEY}`, `Bearer ${OTHER_KEY} `, OTHER_KEY]) {
    assert.ok(!inspect(refusalOf(ring, header), { depth: null }).includes(OTHER_KEY.slice(4)));
  }
});
