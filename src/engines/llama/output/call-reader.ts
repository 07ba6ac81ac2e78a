// Reads one call out of what stands behind its opening marker. The end is found by JSON's own
// rules, since an argument may hold the closing marker as text.

import { CALL_CLOSE } from "../prompt/index.ts";

export type ReadCall = { readonly name: string; readonly arguments: string };

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*/;

export class CallReader {
  #json = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #tail = "";
  #whole = false;

  /** The call once it is whole, and the text behind it; undefined while more is needed. */
  push(text: string): { readonly call: ReadCall | undefined; readonly rest: string } | undefined {
    for (let index = 0; index < text.length; index += 1) {
      const character = text[index] ?? "";
      if (!this.#whole) {
        this.#take(character);
      } else {
        this.#tail += character;
        if (this.#tail.endsWith(CALL_CLOSE)) {
          return { call: readCall(this.#json), rest: text.slice(index + 1) };
        }
      }
    }
    return undefined;
  }

  #take(character: string): void {
    this.#json += character;
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (character === "\\") this.#escaped = true;
      else if (character === '"') this.#inString = false;
    } else if (character === '"') {
      this.#inString = true;
    } else if (character === "{") {
      this.#depth += 1;
    } else if (character === "}") {
      this.#depth -= 1;
      if (this.#depth === 0) this.#whole = true;
    }
  }
}

/** The arguments stay the text that the model wrote. */
function readCall(json: string): ReadCall | undefined {
  const head = HEAD.exec(json);
  if (head?.[1] === undefined) return undefined;
  const text = json.slice(head[0].length, json.lastIndexOf("}")).trimEnd();
  try {
    JSON.parse(text);
    const name: unknown = JSON.parse(head[1]);
    return typeof name === "string" ? { name, arguments: text } : undefined;
  } catch {
    return undefined;
  }
}
