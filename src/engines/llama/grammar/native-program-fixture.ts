// Test support, run as a program by native-fixture.ts: puts each grammar and its texts to
// llama.cpp. A file of its own because the library starts a copy of its process to test itself.

import { text } from "node:stream/consumers";
import { getLlama, type LlamaGrammar } from "node-llama-cpp";
import type { NativeAnswer, NativeQuestion } from "./native-fixture.ts";

const llama = await getLlama({
  build: "never",
  skipDownload: true,
  gpu: false,
  maxThreads: 1,
  logger() {},
});

/** The library has this check, but keeps it out of its types. */
function takes(grammar: LlamaGrammar, candidate: string): boolean {
  const check: unknown = Reflect.get(grammar, "_testText");
  if (typeof check !== "function") throw new Error("node-llama-cpp has no _testText any more");
  return Reflect.apply(check, grammar, [candidate]) === true;
}

const questions: NativeQuestion[] = JSON.parse(await text(process.stdin));
const answers: NativeAnswer[] = [];
for (const { grammar, texts } of questions) {
  const begun = performance.now();
  const passed = () => performance.now() - begun;
  try {
    const native = await llama.createGrammar({ grammar });
    const milliseconds = passed();
    answers.push({ accepted: true, texts: texts.map((one) => takes(native, one)), milliseconds });
  } catch {
    answers.push({ accepted: false, texts: [], milliseconds: passed() });
  }
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
