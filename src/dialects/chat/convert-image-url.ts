// An image_url part to an inner image. What a data: URL holds is checked here, so that a bad
// one is refused with its place in the request instead of by whatever runs the model.

import { type ImagePart, invalidRequest } from "../../call/index.ts";
import { showValue } from "../show-value.ts";

const DATA_URL = /^data:([^,;]*)((?:;[^,;]*)*),/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MOST_URL_CHARACTERS = 8192;
const LONGEST_DATA_HEAD = 128;

/** `image/jpg` is no media type, but many write it. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ["image/png", "image/png"],
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
]);

export function convertImageUrl(url: string, path: string): ImagePart {
  const head = DATA_URL.exec(url.slice(0, LONGEST_DATA_HEAD));
  if (head !== null) return convertDataUrl(url, head, path);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw invalidRequest(
      `${path}: ${showValue(url)} is neither an http(s) URL nor a data: URL with a base64 image`,
    );
  }
  if (url.length > MOST_URL_CHARACTERS) {
    throw invalidRequest(
      `${path}: ${showValue(url)} is too long: the most is ${MOST_URL_CHARACTERS} characters`,
    );
  }
  return { type: "image", source: { type: "url", url } };
}

function convertDataUrl(url: string, head: RegExpExecArray, path: string): ImagePart {
  const [start, written = "", parameters = ""] = head;
  const mediaType = MEDIA_TYPES.get(written.toLowerCase());
  if (mediaType === undefined) {
    throw invalidRequest(
      `${path}: ${showValue(written)} is not one of "image/png", "image/jpeg", "image/gif", "image/webp"`,
    );
  }
  const data = url.slice(start.length);
  if (parameters.toLowerCase() !== ";base64" || data.length % 4 !== 0 || !BASE64.test(data)) {
    throw invalidRequest(`${path}: ${showValue(url)} does not hold valid base64`);
  }
  return { type: "image", source: { type: "base64", mediaType, data } };
}
