import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Call } from "../../../call/index.ts";
import type { GenerationPlan, TemplateFacts } from "../plan.ts";
import { assistant, makeCall, system, user, WEATHER } from "./call-fixtures.ts";
import { planGeneration } from "./index.ts";
import {
  ALL_TEMPLATES,
  CHATML,
  DEEPSEEK_R1,
  GEMMA,
  LLAMA_3,
  MISTRAL,
  NO_TEMPLATE,
  QWEN_3,
  ZEPHYR,
} from "./template-fixtures.ts";

const plan = (facts: TemplateFacts, changes: Partial<Call> = {}): GenerationPlan =>
  planGeneration(makeCall(changes), facts, { defaultSystem: null });

const textOf = ({ prompt }: Pick<GenerationPlan, "prompt">): string =>
  prompt.map((piece) => piece.text).join("");

const sys = (text: string) => [{ type: "text" as const, text }];

describe("a prompt", () => {
  const talk = {
    system: sys("Be brief."),
    messages: [user("One?"), assistant("1"), user("Two?")],
  };

  test("is what the model's own template writes", () => {
    assert.equal(
      textOf(plan(CHATML, talk)),
      "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nOne?<|im_end|>\n<|im_start|>assistant\n1<|im_end|>\n<|im_start|>user\nTwo?<|im_end|>\n<|im_start|>assistant\n",
    );
    assert.equal(
      textOf(plan(LLAMA_3, { messages: [user(" One? ")] })),
      "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nOne?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
    );
    assert.equal(
      textOf(plan(ZEPHYR, { system: sys("S"), messages: [user("U")] })),
      "<|system|>\nS</s>\n<|user|>\nU</s>\n<|assistant|>\n",
    );
    assert.equal(
      textOf(plan(DEEPSEEK_R1, talk)),
      "<｜begin▁of▁sentence｜>Be brief.<｜User｜>One?<｜Assistant｜>1<｜end▁of▁sentence｜><｜User｜>Two?<｜Assistant｜><think>\n",
    );
  });

  test("takes the system prompt into the user's message where the template has no other place", () => {
    assert.equal(
      textOf(plan(GEMMA, talk)),
      "<bos><start_of_turn>user\nBe brief.\n\nOne?<end_of_turn>\n<start_of_turn>model\n1<end_of_turn>\n<start_of_turn>user\nTwo?<end_of_turn>\n<start_of_turn>model\n",
    );
  });

  test("joins neighbours where the template wants strict turns", () => {
    const messages = [user("A"), user("B"), assistant("C"), system("D"), user("E")];
    assert.equal(
      textOf(plan(MISTRAL, { system: sys("S"), messages })),
      "<s> [INST] S\n\nA\n\nB [/INST] C</s> [INST] D\n\nE [/INST]",
    );
  });

  test("has headings, or ChatML, where the weights have no usable template", () => {
    const headings = "<s>### System:\nBe brief.\n\n### User:\nOne?\n\n";
    assert.ok(textOf(plan(NO_TEMPLATE, talk)).startsWith(headings));
    const broken = { ...NO_TEMPLATE, chatTemplate: "{% for %}" };
    assert.ok(textOf(plan(broken, talk)).startsWith(headings));
    const chatml = { ...NO_TEMPLATE, endTokens: ["<|im_end|>"] };
    assert.ok(textOf(plan(chatml, talk)).endsWith("Two?<|im_end|>\n<|im_start|>assistant\n"));
  });

  test("goes another way where the template loses, repeats or changes a text", () => {
    for (const chatTemplate of [
      "{% for m in messages %}{{ m.role }}{% endfor %}",
      "{% for m in messages %}{{ m.content }}{{ m.content }}{% endfor %}",
      "{% for m in messages %}{{ m.content | upper }}{% endfor %}",
    ]) {
      const text = textOf(plan({ ...NO_TEMPLATE, chatTemplate }, talk));
      assert.ok(text.startsWith("<s>### System:\nBe brief."), chatTemplate);
    }
  });

  test("has the default system prompt where the caller brings none", () => {
    const call = makeCall();
    const options = { defaultSystem: "You are kind." };
    assert.match(textOf(planGeneration(call, CHATML, options)), /system\nYou are kind\.</);
    const own = makeCall({ system: sys("Mine.") });
    assert.doesNotMatch(textOf(planGeneration(own, CHATML, options)), /kind/);
  });

  test("goes on with an answer that the caller began", () => {
    const { prompt, phases } = plan(CHATML, { messages: [user("Count."), assistant("1, 2, ")] });
    assert.ok(textOf({ prompt }).endsWith("Count.<|im_end|>\n<|im_start|>assistant\n"));
    assert.deepEqual(phases[0]?.opening, [{ text: "1, 2,", special: false }]);
  });

  test("refuses what the model cannot see", () => {
    const image = { type: "url", url: "https://example.com/a.png" } as const;
    const messages = [{ role: "user", parts: [{ type: "image", source: image }] }] as const;
    assert.throws(() => plan(CHATML, { messages }), { status: 400, message: /text only/ });
  });
});

describe("what may be cached", () => {
  const prefixOf = ({ prompt, cacheablePieces }: GenerationPlan) =>
    textOf({ prompt: prompt.slice(0, cacheablePieces) });

  test("is system prompt and tools, and nothing of the conversation", () => {
    for (const [name, facts] of Object.entries(ALL_TEMPLATES)) {
      const changes = { system: sys("SYSTEM"), tools: [WEATHER] };
      const one = plan(facts, { ...changes, messages: [user("first")] });
      const other = plan(facts, {
        ...changes,
        messages: [user(""), assistant("second"), user("third")],
      });
      assert.equal(prefixOf(one), prefixOf(other), name);
      assert.match(prefixOf(one), /SYSTEM[\s\S]*get_weather/, name);
      assert.doesNotMatch(prefixOf(one), /first/, name);
    }
  });

  test("does not hold the shape of the answer, which changes with the call", () => {
    const changes = { system: sys("SYSTEM") };
    const json = plan(CHATML, { ...changes, format: { type: "json" } });
    assert.match(textOf(json), /JSON/);
    assert.doesNotMatch(prefixOf(json), /JSON/);
  });
});

describe("thinking", () => {
  const thinking = { budgetTokens: 100 };

  test("opens and closes the template's own tags", () => {
    const { phases, prompt } = plan(QWEN_3, { thinking });
    assert.ok(textOf({ prompt }).endsWith("<|im_start|>assistant\n"));
    assert.deepEqual(phases[0], {
      kind: "thinking",
      opening: [{ text: "<think>\n", special: true }],
      endings: ["</think>", "<|im_end|>", "<|endoftext|>", "<|im_start|>"],
      maxTokens: 100,
    });
    assert.deepEqual(phases[1]?.opening, [{ text: "\n</think>\n\n", special: true }]);
  });

  test("is not opened twice where the template opens it, and closed where nobody asked for it", () => {
    assert.deepEqual(plan(DEEPSEEK_R1, { thinking }).phases[0]?.opening, []);
    const [answer] = plan(DEEPSEEK_R1).phases;
    assert.equal(answer?.kind, "answer");
    assert.deepEqual(answer?.opening, [{ text: "\n</think>\n\n", special: true }]);
    assert.ok(textOf(plan(QWEN_3)).endsWith("<think>\n\n</think>\n\n"));
    assert.deepEqual(plan(QWEN_3).phases[0]?.opening, []);
  });

  test("is a bounded segment on models that have no tags", () => {
    const { phases } = plan(ZEPHYR, { thinking });
    assert.match(phases[0]?.opening[0]?.text ?? "", /step by step/);
    assert.match(phases[0]?.grammar ?? "", /^root ::= line/);
    assert.equal(phases[0]?.maxTokens, 100);
    assert.match(phases[1]?.opening[0]?.text ?? "", /Answer:/);
  });

  test("comes before calls and JSON as well", () => {
    const { phases } = plan(QWEN_3, {
      thinking,
      tools: [WEATHER],
      toolChoice: { type: "required" },
      format: { type: "json" },
    });
    assert.deepEqual(
      phases.map((phase) => phase.kind),
      ["thinking", "answer"],
    );
    assert.equal(phases[0]?.grammar, undefined);
    assert.match(phases[1]?.grammar ?? "", /tool_call/);
  });
});

describe("an answer ends", () => {
  test("at the marks that the template puts between turns", () => {
    const endings = (facts: TemplateFacts) => plan(facts).phases[0]?.endings;
    assert.deepEqual(endings(ZEPHYR), ["</s>", "<|user|>"]);
    assert.deepEqual(endings(MISTRAL), ["</s>", "[INST]"]);
    assert.deepEqual(endings(GEMMA), ["<eos>", "<end_of_turn>", "<start_of_turn>"]);
    assert.deepEqual(endings(NO_TEMPLATE), ["</s>", "### User:"]);
  });

  test("where its grammar says, when it is JSON: a mark may be a letter in a string", () => {
    assert.deepEqual(plan(ZEPHYR, { format: { type: "json" } }).phases[0]?.endings, []);
  });
});
