// Opens a model with the library's traps closed: no compiler, no download, as many threads as we
// say, flash attention, and a context that is refused rather than silently made smaller.

import {
  getLlama,
  InsufficientMemoryError,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
} from "node-llama-cpp";
import type { TemplateFacts } from "../plan.ts";
import type { LlamaSettings } from "../protocol.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

export type LoadedModel = {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly vocabulary: Vocabulary;
  readonly facts: TemplateFacts;
  /** Tokens of one conversation: the setting, or what the model was trained on. */
  readonly contextTokens: number;
};

export async function loadModel(settings: LlamaSettings): Promise<LoadedModel> {
  const { path, threads, sequences, batch, gpu } = settings;
  const llama = await getLlama({
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    gpu: gpu === "none" ? false : gpu,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath: path });
  const contextTokens = Math.min(settings.context, model.trainContextSize);
  const context = await model.createContext({
    sequences,
    contextSize: contextTokens,
    batchSize: Math.max(batch, sequences),
    flashAttention: model.flashAttentionSupported,
    threads,
    failedCreationRemedy: false,
  });
  const vocabulary = createVocabulary(model);
  const { bosString, eosString } = model.tokens;
  const facts: TemplateFacts = {
    chatTemplate: model.fileInfo.metadata.tokenizer.chat_template ?? null,
    bosToken: bosString ?? "",
    eosToken: eosString ?? "",
    endTokens: vocabulary.endTexts,
  };
  return { llama, model, context, vocabulary, facts, contextTokens };
}

/** Why a model could not be loaded, in words for whoever runs the service. */
export function explainLoadFailure(error: unknown, settings: LlamaSettings): string {
  const message = error instanceof Error ? error.message : String(error);
  const memory = error instanceof InsufficientMemoryError || /memory|create context/i.test(message);
  if (!memory) return message;
  const { sequences, context } = settings;
  return `not enough memory for the model and ${sequences} conversations of ${context} tokens (${message}): lower "context" or "sequences", or choose smaller weights`;
}
