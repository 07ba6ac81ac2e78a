// Follows a $ref inside its own document. References to other documents are refused: nothing a
// caller sends makes Hearth fetch an address.

import { invalidRequest } from "../../../call/index.ts";

export function resolveReference(root: unknown, reference: unknown, path: string): unknown {
  if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) {
    throw invalidRequest(`${path}: must point into the same schema, such as "#/$defs/name"`);
  }
  let target = root;
  for (const step of reference.split("/").slice(1)) {
    const key = decodeStep(step);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) {
      throw invalidRequest(`${path}: "${reference}" is not there`);
    }
    target = Array.isArray(target)
      ? target[Number(key)]
      : Object.entries(target).find(([name]) => name === key)?.[1];
  }
  return target;
}

function decodeStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A bare percent sign is meant as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
