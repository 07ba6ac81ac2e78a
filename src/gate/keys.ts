// A key as it is made and as it is sent: `inf-` and a random UUID. A caller's key counts
// only in exactly that form: whatever was padded, decoded or shortened on its way is
// refused before it is looked up, and nothing here ever puts a key into a message.

import { hash } from "node:crypto";

const KEY = "inf-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
const KEY_FORM = new RegExp(`^${KEY}$`);
const BEARER_FORM = new RegExp(`^[Bb][Ee][Aa][Rr][Ee][Rr] ${KEY}$`);
const SCHEME_LENGTH = "Bearer ".length;

/** `uuid` comes from a CSPRNG. */
export const newKey = (uuid: string): string => `inf-${uuid}`;

export const isKey = (value: string): boolean => KEY_FORM.test(value);

/** SHA-256 in hex: the only form of a key that the service keeps. */
export const hashKey = (key: string): string => hash("sha256", key, "hex");

/** The key in the value of an `Authorization` header; undefined when it holds none. */
export const readBearer = (value: string): string | undefined =>
  BEARER_FORM.test(value) ? value.slice(SCHEME_LENGTH) : undefined;

/** The key in the value of an `x-api-key` header; undefined when it holds none. */
export const readApiKey = (value: string): string | undefined =>
  KEY_FORM.test(value) ? value : undefined;
