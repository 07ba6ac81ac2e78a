import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Call } from "../../../call/index.ts";
import type { GenerationPlan, TemplateFacts } from "../plan.ts";
import {
  assistant,
  CLOCK,
  makeCall,
  user,
  WEATHER,
  weatherCall,
  weatherResult,
} from "./call-fixtures.ts";
import { planGeneration } from "./index.ts";
import {
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

const textOf = ({ prompt }: GenerationPlan): string => prompt.map((piece) => piece.text).join("");

describe("tools", () => {
  const history = [
    user("Oslo?"),
    assistant("", weatherCall),
    weatherResult("-3 °C, snow"),
    user("And now?"),
  ];

  test("go into the template's own place, whole", () => {
    const text = textOf(plan(QWEN_3, { tools: [WEATHER, CLOCK], messages: history }));
    assert.match(text, /<tools>\n\{"type": "function", "function": \{"name": "get_weather"/);
    assert.match(text, /\n\{"type": "function", "function": \{"name": "get_time"/);
    assert.ok(
      text.includes(
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
      ),
    );
    assert.ok(text.includes("<tool_response>\n-3 °C, snow\n</tool_response>"));
  });

  test("are told in plain words where the template has no place", () => {
    for (const facts of [ZEPHYR, CHATML, LLAMA_3, GEMMA, MISTRAL, DEEPSEEK_R1, NO_TEMPLATE]) {
      const text = textOf(plan(facts, { tools: [WEATHER, CLOCK], messages: history }));
      assert.ok(
        text.includes('- get_weather(city: string, unit?: "C" | "F"): The weather of a city'),
      );
      assert.ok(text.includes("  city: Its name"));
      assert.ok(text.includes("- get_time()"));
      assert.ok(
        text.includes(
          '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
        ),
      );
      assert.ok(text.includes("Result of get_weather:\n-3 °C, snow"));
    }
  });

  test("that failed say so", () => {
    const messages = [user("Oslo?"), assistant("", weatherCall), weatherResult("no net", true)];
    assert.match(
      textOf(plan(ZEPHYR, { tools: [WEATHER], messages })),
      /get_weather failed:\nno net/,
    );
    assert.match(textOf(plan(QWEN_3, { tools: [WEATHER], messages })), /Error: no net/);
  });

  test("that may not be used are shown only where the conversation needs them", () => {
    const none = { tools: [WEATHER], toolChoice: { type: "none" } } as const;
    const fresh = plan(CHATML, none);
    assert.doesNotMatch(textOf(fresh), /get_weather/);
    assert.equal(fresh.phases[0]?.grammar, undefined);
    const used = plan(CHATML, { ...none, messages: history });
    assert.match(textOf(used), /- get_weather/);
    assert.match(used.phases[0]?.grammar ?? "", /^root ::= text/);
  });

  test("of other shapes than ours are told in plain words too", () => {
    const chatTemplate = `{% if tools %}{{ tools | tojson }}{% endif %}[TOOL_CALLS]${CHATML.chatTemplate}`;
    assert.match(
      textOf(plan({ ...CHATML, chatTemplate }, { tools: [WEATHER] })),
      /- get_weather\(/,
    );
  });
});
