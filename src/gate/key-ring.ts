// Every key in force, in memory, by its digest: no database on the path of a request. An
// unknown key is a wrong key only while the ring knows all of them; when the store could
// not be read, the caller is told to come back instead of that the key is bad.

import { timingSafeEqual } from "node:crypto";
import { overloaded, ServiceError } from "../call/index.ts";
import type { ResourceRecord } from "../store/index.ts";
import { hashKey, readApiKey, readBearer } from "./keys.ts";
import { type Resource, toResource } from "./resource.ts";

/** As node:http gives it; an array is a header that was sent several times. */
export type HeaderValue = string | readonly string[] | undefined;

export interface KeyRing {
  /**
   * The resource whose key was sent, or a 401. `apiKey` is the `x-api-key` header, for the
   * route that takes it; where both were sent, `Authorization` decides.
   */
  authenticate(authorization: HeaderValue, apiKey?: HeaderValue): Resource;
  put(record: ResourceRecord): void;
  remove(keyHash: string): void;
  /** Makes the ring the whole truth again. */
  replaceAll(records: Iterable<ResourceRecord>): void;
  /** From now on there may be keys that the ring does not know; the known ones stay good. */
  markIncomplete(): void;
}

type Entry = { readonly digest: Buffer; readonly resource: Resource };

const unauthenticated = (message: string): ServiceError =>
  new ServiceError({ status: 401, type: "authentication_error", message });

const wasSent = (header: HeaderValue): header is string | readonly string[] =>
  header !== undefined && header.length > 0;

function onlyValue(header: string | readonly string[]): string {
  if (typeof header === "string") return header;
  return header.length === 1 ? (header[0] ?? "") : "";
}

function readKey(authorization: HeaderValue, apiKey: HeaderValue): string {
  let key: string | undefined;
  if (wasSent(authorization)) key = readBearer(onlyValue(authorization));
  else if (wasSent(apiKey)) key = readApiKey(onlyValue(apiKey));
  else throw unauthenticated("Unauthorized");
  if (key === undefined) throw unauthenticated("Invalid API key provided");
  return key;
}

export function createKeyRing(): KeyRing {
  const entries = new Map<string, Entry>();
  let complete = false;

  const put = (record: ResourceRecord): void => {
    entries.set(record.keyHash, {
      digest: Buffer.from(record.keyHash, "hex"),
      resource: toResource(record),
    });
  };

  return {
    authenticate(authorization, apiKey) {
      const keyHash = hashKey(readKey(authorization, apiKey));
      // Nobody can steer a digest towards a known one, so the look-up tells nothing by its
      // time; the comparison makes the answer rest on all bits and not on a hash table.
      const entry = entries.get(keyHash);
      if (entry !== undefined && timingSafeEqual(Buffer.from(keyHash, "hex"), entry.digest)) {
        return entry.resource;
      }
      if (!complete) throw overloaded("Keys cannot be checked at the moment; try again shortly.");
      throw unauthenticated("Invalid API key provided");
    },
    put,
    remove(keyHash) {
      entries.delete(keyHash);
    },
    replaceAll(records) {
      entries.clear();
      for (const record of records) put(record);
      complete = true;
    },
    markIncomplete() {
      complete = false;
    },
  };
}
