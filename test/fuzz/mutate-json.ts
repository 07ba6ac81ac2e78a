// Well-formed requests made wrong: values of other types and sizes, missing and additional
// members, hostile names; and then, now and then, damage to the text itself.

import type { Random } from "./random.ts";

const HOSTILE_NAMES = ["__proto__", "constructor", "toString", "", "\u0000", "a.b", "model ", "🦊"];

const hostileValues: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1e308,
  () => 1.5,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => "",
  () => "\u0000",
  () => "\ud800",
  () => "inf-00000000-0000-4000-8000-000000000000",
  (random) => "x".repeat(random.below(5000)),
  () => [],
  () => {},
  () => ({}),
  () => [[[[[[[[]]]]]]]],
  (random) => Array.from({ length: random.below(200) }, (_, index) => index),
  () => ({ type: "text" }),
  () => ({ role: "user", content: "hi" }),
  () => ({ type: "function", function: { name: "f" } }),
  () => ({ enabled: true, budget_tokens: 1024 }),
  () => JSON.parse('{"__proto__":{"polluted":true}}'),
];

/** A changed copy of the value, some members deep. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (random.chance(0.15) || typeof value !== "object" || value === null) {
    return random.pick(hostileValues)(random);
  }
  if (Array.isArray(value)) return mutateArray(value, random);
  const entries = Object.entries(value);
  const copy: [string, unknown][] = [...entries];
  const at = random.below(entries.length || 1);
  const entry = entries[at];
  switch (random.below(4)) {
    case 0:
      copy.splice(at, 1);
      break;
    case 1:
      copy.push([random.pick(HOSTILE_NAMES), random.pick(hostileValues)(random)]);
      break;
    default:
      if (entry !== undefined) copy[at] = [entry[0], mutateValue(entry[1], random)];
  }
  return Object.fromEntries(copy);
}

function mutateArray(items: readonly unknown[], random: Random): unknown[] {
  const copy = [...items];
  const at = random.below(copy.length || 1);
  switch (random.below(4)) {
    case 0:
      copy.splice(at, 1);
      break;
    case 1:
      copy.splice(at, 0, copy[random.below(copy.length || 1)]);
      break;
    case 2:
      copy.push(random.pick(hostileValues)(random));
      break;
    default:
      copy[at] = mutateValue(copy[at], random);
  }
  return copy;
}

/** Damage below the level of JSON: lost, doubled and foreign bytes, depth, duplicate members. */
export function damageText(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length || 1);
  switch (random.below(7)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([random.below(256)]),
        bytes.subarray(at),
      ]);
    case 2:
      return Buffer.concat([bytes, bytes]);
    case 3:
      return Buffer.from("[".repeat(1 + random.below(20_000)));
    case 4:
      return Buffer.from(`${'{"a":'.repeat(1 + random.below(3000))}1${"}".repeat(3000)}`);
    case 5:
      return Buffer.from(text.replace("{", '{"model":"other","model":null,'));
    default: {
      const copy = Buffer.from(bytes);
      for (let n = 0; n < 4; n++) copy[random.below(copy.length || 1)] = random.below(256);
      return copy;
    }
  }
}
