// Durations and sizes are written as people say them: "30s", "5m", "32MiB".

import { Type } from "typebox";

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

const DURATION = /^(\d{1,9})(ms|s|m|h)$/;
export const SIZE = /^(\d{1,9})(B|KiB|MiB|GiB)$/;

export const Duration = (description: string, fallback: string) =>
  Type.String({ pattern: DURATION.source, description, default: fallback });

export const Size = (description: string, fallback: string) =>
  Type.String({ pattern: SIZE.source, description, default: fallback });

export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined) throw new Error(`"${text}" is no duration; write it like "30s"`);
  return Number(amount) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
}

export function parseSize(text: string): number {
  const [, amount, unit] = SIZE.exec(text) ?? [];
  if (amount === undefined) throw new Error(`"${text}" is no size; write it like "32MiB"`);
  return Number(amount) * BYTES[unit as keyof typeof BYTES];
}
