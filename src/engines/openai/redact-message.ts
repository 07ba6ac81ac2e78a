// Upstream messages reach callers, so they are cut to a readable length and lose every
// secret: the engine's own, and anything that looks like a key of some vendor.

const READ = 64 * 1024;
const LONGEST = 500;
const KEY_LIKE = /\b(?:sk|pk|rk|gsk|xai|key|inf|hf)[-_][A-Za-z0-9_*-]{6,}|\bBearer\s+[^\s"',]+/g;

export function redactMessage(message: string, secrets: readonly string[]): string {
  let text = message
    .slice(0, READ)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  for (const secret of secrets) text = text.replaceAll(secret, "[redacted]");
  text = text.replace(KEY_LIKE, "[redacted]");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
