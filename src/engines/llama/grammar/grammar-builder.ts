// Collects the rules of one grammar. Equal rules are kept once, repetitions are written so that
// native code expands them in few steps, and the whole is bounded: whoever adds too much gets
// the refusal, not the engine.

import { invalidRequest } from "../../../call/index.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";

const CHUNK = 256;

export class GrammarBuilder {
  readonly #bodies = new Map<string, string>();
  readonly #nameByBody = new Map<string, string>();
  #elements = 0;
  #characters = 0;

  /** Adds a rule, or finds the one that says the same, and answers its name. */
  add(hint: string, body: string): string {
    const known = this.#nameByBody.get(body);
    if (known !== undefined) return known;
    const name = this.reserve(hint);
    this.define(name, body);
    this.#nameByBody.set(body, name);
    return name;
  }

  /** A name whose rule follows by `define`: the way to write a rule that mentions itself. */
  reserve(hint: string): string {
    const name = `${hint}-${this.#bodies.size}`;
    this.#bodies.set(name, "");
    if (this.#bodies.size > SCHEMA_LIMITS.rules) {
      throw tooLarge(`needs more than ${SCHEMA_LIMITS.rules} grammar rules`);
    }
    return name;
  }

  define(name: string, body: string): void {
    this.#bodies.set(name, body);
    this.#characters += name.length + body.length;
    if (this.#characters > SCHEMA_LIMITS.characters) {
      throw tooLarge(`needs a grammar of more than ${SCHEMA_LIMITS.characters} characters`);
    }
  }

  /** `term` from `min` to `max` times (null: without end), as one term. It must not be empty. */
  repeat(term: string, min: number, max: number | null): string {
    if (max === null) {
      if (min <= 1) return `${term}${min === 0 ? "*" : "+"}`;
      return this.add("at-least", `${this.#exactly(term, min)} ${term}*`);
    }
    if (max === 0) return '""';
    if (min === 1 && max === 1) return term;
    if (min === 0 && max === 1) return `${term}?`;
    if (min === max) return this.add("times", this.#exactly(term, min));
    const upTo = this.#upTo(term, max - min);
    return this.add("times", min === 0 ? upTo : `${this.#exactly(term, min)} ${upTo}`);
  }

  /** The finished text; `root` is an expression over the rules added so far. */
  build(root: string): string {
    const lines = [`root ::= ${root}`];
    for (const [name, body] of this.#bodies) lines.push(`${name} ::= ${body}`);
    return `${lines.join("\n")}\n`;
  }

  #exactly(term: string, count: number): string {
    if (count <= CHUNK) return this.#count(term, count, count);
    const chunks = this.#count(this.#chunk(term), Math.floor(count / CHUNK));
    const rest = count % CHUNK;
    return rest === 0 ? chunks : `${chunks} ${this.#count(term, rest, rest)}`;
  }

  /** Whole chunks first, then what is left: two or three open places instead of thousands. */
  #upTo(term: string, count: number): string {
    if (count <= CHUNK) return this.#count(term, 0, count);
    const chunk = this.#chunk(term);
    const chunks = Math.floor(count / CHUNK);
    const rest = count % CHUNK;
    const fewer = `${this.#count(chunk, 0, chunks - 1)} ${this.#count(term, 0, CHUNK - 1)}`;
    const most = this.#count(chunk, chunks);
    return `(${fewer} | ${rest === 0 ? most : `${most} ${this.#count(term, 0, rest)}`})`;
  }

  #chunk(term: string): string {
    return this.add("chunk", this.#count(term, CHUNK));
  }

  #count(term: string, min: number, max = min): string {
    this.#elements += max;
    if (this.#elements > SCHEMA_LIMITS.elements) {
      throw tooLarge(`repeats more than ${SCHEMA_LIMITS.elements} times in all`);
    }
    return min === max ? `${term}{${min}}` : `${term}{${min},${max}}`;
  }
}

const tooLarge = (what: string) =>
  invalidRequest(`The JSON schema is too large for a local model: it ${what}`);
