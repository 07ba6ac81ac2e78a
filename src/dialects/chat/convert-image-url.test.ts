import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "./chat-fixtures.ts";
import { convertImageUrl } from "./convert-image-url.ts";

const refused = (url: string): string => refusalOf(() => convertImageUrl(url, "url"));

test("http and https addresses are carried on as they are", () => {
  for (const url of ["https://x.test/a.png?b=c#d", "http://127.0.0.1:8080/a", "HTTPS://X.TEST"]) {
    assert.deepEqual(convertImageUrl(url, "url").source, { type: "url", url });
  }
});

test("data URLs of the four image types become base64 with their media type", () => {
  for (const type of ["png", "jpeg", "gif", "webp"]) {
    assert.deepEqual(convertImageUrl(`data:image/${type};base64,iVBORw0KGgo=`, "url").source, {
      type: "base64",
      mediaType: `image/${type}`,
      data: "iVBORw0KGgo=",
    });
  }
  const { source } = convertImageUrl("DATA:Image/JPG;BASE64,/9j/", "url");
  assert.deepEqual(source, { type: "base64", mediaType: "image/jpeg", data: "/9j/" });
});

test("an image of several megabytes is checked at once and carried on", () => {
  const data = Buffer.alloc(6_000_000, 7).toString("base64");
  const { source } = convertImageUrl(`data:image/png;base64,${data}`, "url");
  assert.ok(source.type === "base64" && source.data === data);
});

const REFUSALS: readonly [url: string, message: string][] = [
  ["", 'url: "" is neither an http(s) URL nor a data: URL with a base64 image'],
  [
    "/etc/passwd",
    'url: "/etc/passwd" is neither an http(s) URL nor a data: URL with a base64 image',
  ],
  [
    "file:///etc/passwd",
    'url: "file:///etc/passwd" is neither an http(s) URL nor a data: URL with a base64 image',
  ],
  ["http://", 'url: "http://" is neither an http(s) URL nor a data: URL with a base64 image'],
  [
    "data:image/png",
    'url: "data:image/png" is neither an http(s) URL nor a data: URL with a base64 image',
  ],
  [
    "data:text/html;base64,AAAA",
    'url: "text/html" is not one of "image/png", "image/jpeg", "image/gif", "image/webp"',
  ],
  [
    "data:image/svg+xml;base64,AAAA",
    'url: "image/svg+xml" is not one of "image/png", "image/jpeg", "image/gif", "image/webp"',
  ],
  ["data:image/png,AAAA", 'url: "data:image/png,AAAA" does not hold valid base64'],
  ["data:image/png;base64,", 'url: "data:image/png;base64," does not hold valid base64'],
  ["data:image/png;base64,AAA", 'url: "data:image/png;base64,AAA" does not hold valid base64'],
  ["data:image/png;base64,A-_A", 'url: "data:image/png;base64,A-_A" does not hold valid base64'],
  ["data:image/png;base64,A=AA", 'url: "data:image/png;base64,A=AA" does not hold valid base64'],
];

for (const [url, message] of REFUSALS) {
  test(`an image is refused with: ${message}`, () => {
    assert.equal(refused(url), message);
  });
}

test("an address without end is refused", () => {
  assert.match(
    refused(`https://x.test/${"a".repeat(9000)}`),
    /is too long: the most is 8192 characters$/,
  );
});
