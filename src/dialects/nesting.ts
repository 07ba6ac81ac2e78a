// Bounds the depth of JSON that is carried on as it came, such as tool parameters: whoever
// walks or writes it later does so recursively, and must not run out of stack.

export const MOST_LEVELS = 128;

export const isTooDeep = (value: unknown): boolean => isDeeperThan(value, MOST_LEVELS);

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === "object" && isDeeperThan(inner, levels - 1)) return true;
  }
  return false;
}
