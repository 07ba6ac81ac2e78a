// A model whose answers a test writes down. Attention and feed-forward weights are zero, so what
// leaves the one layer is the embedding of the current token; the output row of the token that is
// to follow is that very embedding, so each token leads to a chosen next one. Built in
// milliseconds, the same on every machine, at any batch size.

import { type GgufTensor, type GgufValue, writeGguf } from "./gguf-file.ts";
import { buildVocabulary, type Script, specialTokens } from "./scripted-vocabulary.ts";

export type ScriptedModelOptions = {
  readonly path: string;
  readonly script: Script;
  /** Jinja; the default puts nothing after the last message, so that its trigger counts. */
  readonly chatTemplate?: string;
  /** Tokens of the training context. */
  readonly context?: number;
  readonly controlTokens?: readonly string[];
};

export const plainChatTemplate =
  "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}{% endfor %}";
const roleTokens = ["<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>"];

const headSize = 32;
const feedForward = 32;

export async function writeScriptedModel({
  path,
  script,
  chatTemplate = plainChatTemplate,
  context = 4096,
  controlTokens = roleTokens,
}: ScriptedModelOptions): Promise<void> {
  const vocabulary = buildVocabulary(script, controlTokens);
  const size = vocabulary.tokens.length;
  // One dimension for each token: embeddings that do not touch give logits without noise.
  const width = Math.ceil(size / 32) * 32;
  const embeddings = new Float32Array(width * size);
  const output = new Float32Array(width * size);
  vocabulary.next.forEach((next, token) => {
    embeddings[token * width + token] = 1;
    output[next * width + token] = 1;
  });
  await writeGguf(path, {
    metadata: {
      ...architecture(width, context, size),
      ...tokenizer(vocabulary.tokens, vocabulary.types, chatTemplate),
    },
    tensors: [
      { name: "token_embd.weight", shape: [width, size], values: embeddings },
      { name: "output_norm.weight", shape: [width], values: ones(width) },
      { name: "output.weight", shape: [width, size], values: output },
      { name: "blk.0.attn_norm.weight", shape: [width], values: ones(width) },
      zeros("blk.0.attn_q.weight", width, headSize),
      zeros("blk.0.attn_k.weight", width, headSize),
      zeros("blk.0.attn_v.weight", width, headSize),
      zeros("blk.0.attn_output.weight", headSize, width),
      { name: "blk.0.ffn_norm.weight", shape: [width], values: ones(width) },
      zeros("blk.0.ffn_gate.weight", width, feedForward),
      zeros("blk.0.ffn_up.weight", width, feedForward),
      zeros("blk.0.ffn_down.weight", feedForward, width),
    ],
  });
}

const ones = (length: number): Float32Array => new Float32Array(length).fill(1);

const zeros = (name: string, columns: number, rows: number): GgufTensor => ({
  name,
  shape: [columns, rows],
  values: new Float32Array(columns * rows),
});

const count = (value: number): GgufValue => ({ type: "uint32", value });

const architecture = (width: number, context: number, size: number) => ({
  "general.architecture": { type: "string", value: "llama" } as const,
  "general.name": { type: "string", value: "scripted" } as const,
  "llama.context_length": count(context),
  "llama.embedding_length": count(width),
  "llama.block_count": count(1),
  "llama.feed_forward_length": count(feedForward),
  "llama.attention.head_count": count(1),
  "llama.attention.head_count_kv": count(1),
  "llama.attention.key_length": count(headSize),
  "llama.attention.value_length": count(headSize),
  "llama.attention.layer_norm_rms_epsilon": { type: "float32", value: 1e-6 } as const,
  "llama.rope.dimension_count": count(headSize),
  "llama.vocab_size": count(size),
});

const tokenizer = (tokens: readonly string[], types: readonly number[], chatTemplate: string) => ({
  "tokenizer.ggml.model": { type: "string", value: "llama" } as const,
  "tokenizer.ggml.tokens": { type: "strings", value: tokens } as const,
  // Equal scores: prompts are cut the same way whatever the script.
  "tokenizer.ggml.scores": { type: "float32s", value: tokens.map(() => 0) } as const,
  "tokenizer.ggml.token_type": { type: "int32s", value: types } as const,
  "tokenizer.ggml.unknown_token_id": count(specialTokens.unknown),
  "tokenizer.ggml.bos_token_id": count(specialTokens.begin),
  "tokenizer.ggml.eos_token_id": count(specialTokens.end),
  "tokenizer.ggml.add_bos_token": { type: "bool", value: true } as const,
  "tokenizer.ggml.add_space_prefix": { type: "bool", value: false } as const,
  "tokenizer.chat_template": { type: "string", value: chatTemplate } as const,
});
