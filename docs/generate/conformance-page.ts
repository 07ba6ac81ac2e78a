// docs/conformance.md: one row a requirement of the specification, with the tests that show it.

import {
  type Requirement,
  type State,
  sections,
} from "../../test/conformance/requirements/index.ts";
import { code, table } from "./markdown.ts";

const INTRODUCTION = `<!-- biome-ignore-all format: generated from test/conformance/requirements by npm run docs; do not edit -->

# Conformance

Every table row and every rule of the service's specification, in short, with the tests that
show that Hearth keeps it. \`npm test\` runs them all, and fails when a row names a test that
does not exist. A row is in one of three states:

- \`proved\`: the tests show it.
- \`answers 501 until built\`: it belongs to a route of a later release. The route is there, asks
  for the key, and says so; that is what the test shows.
- \`not built yet\`: no route could say so. The row tells what is there today, and the test shows
  that.
`;

export function createConformancePage(): string {
  const all = sections.flatMap(({ requirements }) => requirements);
  const count = (state: State): string =>
    `${all.filter((requirement) => requirement.state === state).length}`;
  const states: readonly State[] = ["proved", "answers 501 until built", "not built yet"];
  const summary = table(
    ["state", "rows"],
    [...states.map((state) => [code(state), count(state)]), ["all", `${all.length}`]],
  );
  const rows = sections.flatMap(({ title, requirements }) =>
    requirements.map((requirement) => [
      title,
      requirement.words,
      wordProofs(requirement),
      wordState(requirement),
    ]),
  );
  return `${INTRODUCTION}\n${summary}\n${table(["section", "requirement", "proof", "state"], rows)}`;
}

const wordProofs = ({ proofs }: Requirement): string =>
  proofs.map(({ file, test }) => `${code(file)} › ${test}`).join("<br>");

const wordState = ({ state, today }: Requirement): string =>
  today === undefined ? code(state) : `${code(state)}: ${today}`;
