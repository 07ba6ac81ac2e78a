// Grammars of this model, compiled once: the same tools and schemas come again with every turn of
// a conversation. The least recently used ones are forgotten.

import {
  type Llama,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
} from "node-llama-cpp";
import { invalidRequest } from "../../../call/index.ts";

/** Native parsing cannot be interrupted, so what it is given is bounded. */
const longestGrammar = 512 * 1024;
const mostGrammars = 64;

export class Grammars {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #compiled = new Map<string, LlamaGrammar>();

  constructor(llama: Llama, model: LlamaModel) {
    this.#llama = llama;
    this.#model = model;
  }

  /** Throws a refusal where the grammar is none, or too large. */
  async compile(text: string): Promise<LlamaGrammar> {
    const known = this.#compiled.get(text);
    if (known !== undefined) {
      this.#compiled.delete(text);
      this.#compiled.set(text, known);
      return known;
    }
    if (text.length > longestGrammar) {
      throw invalidRequest(
        `the tools or the format of this request need a grammar of ${text.length} characters; this model takes up to ${longestGrammar}`,
      );
    }
    const grammar = await this.#parse(text);
    this.#compiled.set(text, grammar);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > mostGrammars && oldest !== undefined) this.#compiled.delete(oldest);
    return grammar;
  }

  /** A fresh state for one phase of one call. */
  async start(text: string): Promise<LlamaGrammarEvaluationState> {
    const grammar = await this.compile(text);
    return new LlamaGrammarEvaluationState({ model: this.#model, grammar });
  }

  async #parse(text: string): Promise<LlamaGrammar> {
    try {
      return await this.#llama.createGrammar({ grammar: text });
    } catch {
      throw invalidRequest(
        "the tools or the format of this request make no grammar for this model",
      );
    }
  }
}
