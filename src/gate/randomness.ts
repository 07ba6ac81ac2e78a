// Where keys, ids and names come from. Passed in, so that a test can make them collide.

import { randomInt, randomUUID } from "node:crypto";

export type Randomness = {
  /** A UUIDv4 from a CSPRNG: it becomes a key. */
  uuid(): string;
  /** An integer from 0 up to, not including, `below`. */
  integer(below: number): number;
};

export const secureRandomness: Randomness = {
  uuid: () => randomUUID(),
  integer: (below) => randomInt(below),
};
