// Puts the pieces of streamed tool calls together. The convention (an index on every piece,
// id and name on the first) is kept by few: some servers repeat the id, some invent a new
// one per piece, some leave out the index or reuse it, some send whole calls at once. The
// rule here: a piece that brings a name and does not fit the call at hand begins a new one.

import { asRecord, asText } from "./read-json.ts";

export type AssembledCall = {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
};

export class ToolCallAssembler {
  readonly calls: AssembledCall[] = [];
  /** Characters of arguments held, for whoever bounds them. */
  size = 0;
  readonly #byIndex = new Map<number, AssembledCall>();
  readonly #byId = new Map<string, AssembledCall>();

  add(piece: unknown): void {
    const record = asRecord(piece);
    if (record === undefined) return;
    const body = asRecord(record.function);
    const id = asText(record.id);
    const name = asText(body?.name);
    const text = readArguments(body?.arguments);
    if (id === undefined && name === undefined && text === "") return;

    const index = typeof record.index === "number" ? record.index : undefined;
    let call = this.#find(index, id, name, text);
    if (call === undefined) {
      call = { id: undefined, name: undefined, arguments: "" };
      this.calls.push(call);
    }
    if (index !== undefined) this.#byIndex.set(index, call);
    if (id !== undefined && call.id === undefined) {
      call.id = id;
      this.#byId.set(id, call);
    }
    call.name ??= name;
    call.arguments += text;
    this.size += text.length;
  }

  #find(
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    text: string,
  ): AssembledCall | undefined {
    if (index === undefined) {
      if (id !== undefined) return this.#byId.get(id);
      return name === undefined ? this.calls.at(-1) : undefined;
    }
    const call = this.#byIndex.get(index);
    if (call === undefined) {
      // A new index that only repeats a known id has drifted; with a name it is a new call.
      return id !== undefined && name === undefined ? this.#byId.get(id) : undefined;
    }
    if (name === undefined || call.name === undefined) return call;
    if (id !== undefined && call.id !== undefined) return id === call.id ? call : undefined;
    // The name again, and no ids to tell: new only if the last one looks complete.
    return text.startsWith("{") && call.arguments.endsWith("}") ? undefined : call;
  }
}

/** Some servers send the arguments as the object itself instead of its text. */
function readArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return asRecord(value) === undefined ? "" : JSON.stringify(value);
}
