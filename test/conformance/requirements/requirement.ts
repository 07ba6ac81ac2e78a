// A requirement of the specification: what it asks for in our words, and the tests that show
// that it is met. The page docs/conformance.md is made from these, and from nothing else.

export type State = "proved" | "answers 501 until built" | "not built yet";

export type Proof = { readonly file: string; readonly test: string };

export type Requirement = {
  readonly id: string;
  readonly words: string;
  readonly state: State;
  /** What is there today, where it is not all that is asked for. */
  readonly today?: string;
  readonly proofs: readonly [Proof, ...Proof[]];
};

export type Section = {
  readonly title: string;
  readonly requirements: readonly Requirement[];
};

type Proofs = Requirement["proofs"];

/** The tests of one file. */
export const testsOf =
  (file: string) =>
  (test: string): Proof => ({ file, test });

export const proved = (id: string, words: string, ...proofs: Proofs): Requirement => ({
  id,
  words,
  state: "proved",
  proofs,
});

/** Of a route of a later release; the proof is that it says so. */
export const later = (id: string, words: string, ...proofs: Proofs): Requirement => ({
  id,
  words,
  state: "answers 501 until built",
  proofs,
});

/** Of a part that no status could tell a caller of; the proof shows what is there today. */
export const unbuilt = (
  id: string,
  words: string,
  today: string,
  ...proofs: Proofs
): Requirement => ({ id, words, state: "not built yet", today, proofs });
