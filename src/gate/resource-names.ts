// Names of resources, `inference-amber-4821`, and the prefixes of their config variables,
// `INFERENCE`: both say the kind of model first, as people look for it.

import type { ModelKind } from "../catalog/index.ts";
import type { Randomness } from "./randomness.ts";

const PREFIX: Readonly<Record<ModelKind, string>> = {
  chat: "INFERENCE",
  embedding: "EMBEDDING",
  image: "DIFFUSION",
  rerank: "RERANK",
};

const WORDS =
  `acorn amber anchor apple arbor ash aspen autumn basalt bay beacon birch bramble breeze brook
  canyon cedar cinder clay clear cliff cloud clover cobalt copper coral cove crystal dawn deep
  delta dew dune dusk ember fern field fjord flint forest frost garnet glade gold granite grove
  harbor hazel hearth hill indigo iris iron island ivory ivy jade juniper kelp lagoon lake lark
  laurel lilac linen lunar maple marble meadow mint mist moon moss night north oak ocean olive
  onyx opal orchard pearl pebble pine plum polar prairie quartz quiet rain reed ridge river rose
  ruby sage sand shore silver sky slate snow solar spring spruce star stone summer thyme tide
  timber topaz vale valley velvet violet water west willow wind winter`.split(/\s+/);

export const isAlias = (value: string): boolean => /^[A-Z][A-Z0-9_]{0,62}$/.test(value);

/** The first free one of `INFERENCE`, `INFERENCE_2`, `INFERENCE_3`, … */
export function defaultAlias(kind: ModelKind, isTaken: (alias: string) => boolean): string {
  const prefix = PREFIX[kind];
  let alias = prefix;
  for (let number = 2; isTaken(alias); number += 1) alias = `${prefix}_${number}`;
  return alias;
}

export function newName(
  kind: ModelKind,
  random: Randomness,
  isTaken: (name: string) => boolean,
): string {
  const prefix = PREFIX[kind].toLowerCase();
  // More digits when names run short, so that a free one is always found.
  for (let attempt = 0, digits = 10_000; ; attempt += 1) {
    if (attempt > 0 && attempt % 20 === 0) digits *= 10;
    const number = `${random.integer(digits)}`.padStart(4, "0");
    const name = `${prefix}-${WORDS[random.integer(WORDS.length)]}-${number}`;
    if (!isTaken(name)) return name;
  }
}
