// The second line of defence for keys: nothing in the house hands a key to a log or a trace,
// and if something does by mistake, it is struck out here, on the last string before the door.

/**
 * A key of ours (`inf-<uuid>`, also with its dashes lost), a vendor's (`sk-…`), or whatever
 * follows `Bearer`. `\\t`, `%20` and `+` are what a blank turns into inside JSON and addresses.
 */
const SECRET = /inf-[0-9a-f][0-9a-f-]{20,}|\bsk-[\w-]{16,}|\bbearer(?:[ +]|\\t|%20)+[^\s"'\\,;]+/gi;

export const redact = (text: string): string => text.replace(SECRET, "[redacted]");
