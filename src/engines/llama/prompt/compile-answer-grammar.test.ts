import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Call } from "../../../call/index.ts";
import { askNative } from "../grammar/native-fixture.ts";
import { CLOCK, makeCall, WEATHER } from "./call-fixtures.ts";
import { compileAnswerGrammar } from "./compile-answer-grammar.ts";

const callOf = (name: string, text: string) =>
  `<tool_call>{"name": "${name}", "arguments": ${text}}</tool_call>`;
const weather = callOf("get_weather", '{"city": "Oslo"}');
const clock = '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>';

const shape = {
  type: "json_schema",
  name: "shape",
  schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
} as const;
const required = { toolChoice: { type: "required" } } as const;

type Rule = {
  readonly says: string;
  readonly call: Partial<Call>;
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
};

const RULES: readonly Rule[] = [
  {
    says: "leaves it to the model whether it calls, and holds it to a call once begun",
    call: {},
    allowed: [
      "",
      "Hello <there>, 1 < 2, <tool_cal, <<tool!",
      `Let me look.\n${weather}\n${clock}`,
      `<${clock}`,
      clock,
    ],
    forbidden: [
      "<tool_call>",
      "<tool_call>Hello",
      "say <tool_call>",
      callOf("other", "{}"),
      callOf("get_weather", "{}"),
      `${weather} and text`,
      weather.slice(0, -1),
    ],
  },
  {
    says: "wants at least one call where one is required",
    call: required,
    allowed: [weather, clock, weather + clock],
    forbidden: ["", "Hello", `Hello${clock}`],
  },
  {
    says: "wants the named tool and no other",
    call: { toolChoice: { type: "named", name: "get_time" } },
    allowed: [clock],
    forbidden: [weather, clock + weather, ""],
  },
  {
    says: "bounds the calls of a turn",
    call: required,
    allowed: [clock.repeat(8)],
    forbidden: [clock.repeat(9)],
  },
  {
    says: "bounds them to one where the caller says so",
    call: { ...required, parallelToolCalls: false },
    allowed: [clock],
    forbidden: [clock + clock],
  },
  {
    says: "keeps tools that may not be used from being called",
    call: { toolChoice: { type: "none" } },
    allowed: ["", "<tool_call", "<tool_call >"],
    forbidden: ["a <tool_call>", clock],
  },
  {
    says: "lets an answer in JSON stand beside calls",
    call: { format: shape },
    allowed: ['{"n": 12}', '{"n":-3}', clock],
    forbidden: ["Hello", "{}", '{"n": 1.5}', '{ "n": 1}', `{"n": 1}${clock}`],
  },
];

describe("the grammar of an answer", async () => {
  const answers = await askNative(
    RULES.map(({ call, allowed, forbidden }) => ({
      grammar: compileAnswerGrammar(makeCall({ tools: [WEATHER, CLOCK], ...call })) ?? "",
      texts: [...allowed, ...forbidden],
    })),
  );

  for (const [index, { says, allowed, forbidden }] of RULES.entries()) {
    test(says, () => {
      const answer = answers[index];
      assert.ok(answer?.accepted);
      for (const [at, text] of [...allowed, ...forbidden].entries()) {
        assert.equal(answer.texts[at], at < allowed.length, text);
      }
    });
  }

  test("is absent where the answer is free text", () => {
    assert.equal(compileAnswerGrammar(makeCall()), undefined);
  });

  test("cannot be made for a tool that is not there", () => {
    const call = makeCall({ toolChoice: { type: "named", name: "nope" } });
    assert.throws(() => compileAnswerGrammar(call), { status: 400, message: /no tool "nope"/ });
  });

  test("names the tool whose schema cannot be kept", () => {
    const parameters = { type: "object", properties: { a: { not: {} } } };
    assert.throws(() => compileAnswerGrammar(makeCall({ tools: [{ name: "odd", parameters }] })), {
      status: 400,
      message: /^tool odd: parameters\.properties\.a\.not: is not supported/,
    });
  });
});
