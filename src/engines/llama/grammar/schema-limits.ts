// How large a schema may be. A grammar is expanded inside native code and walked for every token
// of every conversation in the batch, so a hostile schema must be refused before it gets there.

export const SCHEMA_LIMITS = {
  /** Levels of nesting, references followed. */
  depth: 48,
  /** Schemas looked at, counting one again wherever it is merged. */
  schemas: 4000,
  /** Members that one object may name. */
  properties: 256,
  /** Branches of one anyOf or oneOf, after merging. */
  branches: 128,
  /** Values of one enum. */
  enumValues: 1000,
  /** Most repetitions: a larger lower bound is refused, a larger upper one is lowered to it. */
  repetitions: 32_768,
  /** Characters of one pattern. */
  patternLength: 1000,
  /** Places in one pattern once its counts are written out. */
  patternPlaces: 2000,
  /**
   * Places in one counted part whose text varies in length. They can all be open at once, each
   * with a history of its own: measured 17 ms a character at 1,600, under 1 ms at this many.
   */
  patternOpenPlaces: 96,
  /** Rules of the grammar. */
  rules: 10_000,
  /** Elements of the grammar once its repetitions are written out. */
  elements: 60_000,
  /** Characters of the grammar. */
  characters: 400_000,
} as const;
