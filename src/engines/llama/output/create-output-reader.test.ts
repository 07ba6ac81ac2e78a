import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Call, CallEvent } from "../../../call/index.ts";
import type { GenerationPlan, Phase } from "../plan.ts";
import { CLOCK, makeCall, WEATHER } from "../prompt/call-fixtures.ts";
import { createOutputReader } from "./index.ts";

const ANSWER: Phase = { kind: "answer", opening: [], endings: ["<|im_end|>"], maxTokens: 99 };
const THINKING: Phase = { kind: "thinking", opening: [], endings: ["</think>"], maxTokens: 99 };

type Output = {
  readonly thinking?: readonly string[];
  readonly answer: readonly string[];
  readonly call?: Partial<Call>;
  readonly stop?: readonly string[];
  readonly reason?: "ended" | "length";
};

function read({ thinking, answer, call = {}, stop = [], reason = "ended" }: Output) {
  const phases = thinking === undefined ? [ANSWER] : [THINKING, ANSWER];
  const plan: GenerationPlan = { prompt: [], cacheablePieces: 0, phases, stop };
  let ids = 0;
  const reader = createOutputReader(makeCall(call), plan, {
    createCallId() {
      ids += 1;
      return `tooluse_${ids}`;
    },
  });
  const events: CallEvent[] = [];
  if (thinking !== undefined) {
    events.push(...reader.beginPhase(THINKING));
    for (const piece of thinking) events.push(...reader.push(piece));
  }
  events.push(...reader.beginPhase(ANSWER));
  for (const piece of answer) events.push(...reader.push(piece));
  const end = reader.end(reason);
  return { events: [...events, ...end.events], reason: end.reason, stopped: reader.stopped };
}

/** Neighbouring pieces of one kind as one. */
function join(events: readonly CallEvent[]): CallEvent[] {
  const joined: CallEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === "text" && last?.type === "text") {
      joined[joined.length - 1] = { type: "text", text: last.text + event.text };
    } else if (event.type === "thinking" && last?.type === "thinking") {
      joined[joined.length - 1] = { type: "thinking", text: last.text + event.text };
    } else {
      joined.push(event);
    }
  }
  return joined;
}

const tools = { tools: [WEATHER, CLOCK] };
const weather =
  '<tool_call>{"name": "get_weather", "arguments": {"city": "a</tool_call>}\\""}}</tool_call>';
const clock = '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>';

describe("the output of a local model", () => {
  test("comes at once, but for what could begin a stop string", () => {
    const plan: GenerationPlan = {
      prompt: [],
      cacheablePieces: 0,
      phases: [ANSWER],
      stop: ["END"],
    };
    const reader = createOutputReader(makeCall(), plan);
    reader.beginPhase(ANSWER);
    assert.deepEqual(reader.push("Hello E"), [{ type: "text", text: "Hello " }]);
    assert.deepEqual(reader.push("N"), []);
    assert.deepEqual(reader.push("!"), [{ type: "text", text: "EN!" }]);
    assert.deepEqual(reader.push("E"), []);
    assert.deepEqual(reader.push("NDless"), []);
    assert.equal(reader.stopped, true);
    assert.deepEqual(reader.push("more"), []);
    assert.deepEqual(reader.end("ended"), {
      events: [{ type: "finish", reason: "stop", stopSequence: "END" }],
      reason: "stop",
    });
  });

  test("shows what was held back when nothing follows", () => {
    const { events } = read({ answer: ["The EN"], stop: ["END"], reason: "length" });
    assert.deepEqual(join(events), [
      { type: "text", text: "The EN" },
      { type: "finish", reason: "length" },
    ]);
  });

  test("keeps thinking and answer apart, without the blanks of the tags", () => {
    const { events } = read({ thinking: ["\nHm", ", 2.", "\n", "</thi", "nk>x"], answer: ["\n4"] });
    assert.deepEqual(join(events), [
      { type: "thinking", text: "Hm, 2." },
      { type: "text", text: "4" },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("has no stop strings in its thinking", () => {
    const { events } = read({ thinking: ["a END b"], answer: ["c END d"], stop: ["END"] });
    assert.deepEqual(join(events), [
      { type: "thinking", text: "a END b" },
      { type: "text", text: "c " },
      { type: "finish", reason: "stop", stopSequence: "END" },
    ]);
  });

  test("ends at a mark of the template, which nobody sees", () => {
    const { events, stopped } = read({ answer: ["Hi<|im", "_end|>more"] });
    assert.equal(stopped, true);
    assert.deepEqual(join(events), [
      { type: "text", text: "Hi" },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("gives calls whole, in order, with the arguments as they were written", () => {
    const { events, reason } = read({ call: tools, answer: [`Look:${weather}\n${clock}`] });
    assert.equal(reason, "tool_calls");
    assert.deepEqual(events, [
      { type: "text", text: "Look:" },
      {
        type: "tool_call",
        id: "tooluse_1",
        name: "get_weather",
        arguments: '{"city": "a</tool_call>}\\""}',
      },
      { type: "tool_call", id: "tooluse_2", name: "get_time", arguments: "{}" },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  test("never gives half a call: one that was cut is the length", () => {
    for (let end = 2; end < weather.length; end += 1) {
      const answer = [clock + weather.slice(0, end)];
      const { events } = read({ call: tools, answer, reason: "length" });
      assert.deepEqual(
        events.map((event) => event.type),
        ["tool_call", "finish"],
        answer[0],
      );
      assert.deepEqual(events.at(-1), { type: "finish", reason: "length" });
    }
    const alone = read({ call: tools, answer: [weather.slice(0, 5)], reason: "length" });
    assert.deepEqual(alone.events, [{ type: "finish", reason: "length" }]);
  });

  test("is text where no tool was offered, marker or not", () => {
    const { events, reason } = read({ answer: [clock] });
    assert.equal(reason, "stop");
    assert.deepEqual(join(events)[0], { type: "text", text: clock });
  });

  test("gives ids that every client takes", () => {
    const plan: GenerationPlan = { prompt: [], cacheablePieces: 0, phases: [ANSWER], stop: [] };
    const reader = createOutputReader(makeCall(tools), plan);
    reader.beginPhase(ANSWER);
    const [event] = reader.push(clock);
    assert.match(event?.type === "tool_call" ? event.id : "", /^tooluse_[A-Za-z0-9_-]{22}$/);
  });

  test("reads the same however it is cut into pieces, and no stop string shows", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "ab", " ", "<", "aba", "abab", "<|im_", "\n", "é😀", clock))
      .map((parts) => parts.join(""));
    const stop = fc.array(fc.constantFrom("abab", "ba ", "aab", "b<", "aa"), { maxLength: 3 });
    const cuts = fc.array(fc.nat(12), { minLength: 1 });
    const cut = (whole: string, sizes: readonly number[]) => {
      const pieces: string[] = [];
      const characters = [...whole];
      for (let at = 0, turn = 0; at < characters.length; turn += 1) {
        const size = 1 + (sizes[turn % sizes.length] ?? 0);
        pieces.push(characters.slice(at, at + size).join(""));
        at += size;
      }
      return pieces;
    };
    fc.assert(
      fc.property(text, text, stop, cuts, (thought, said, stops, sizes) => {
        const whole = read({ thinking: [thought], answer: [said], stop: stops, call: tools });
        const cutUp = read({
          thinking: cut(thought, sizes),
          answer: cut(said, sizes),
          stop: stops,
          call: tools,
        });
        assert.deepEqual(join(cutUp.events), join(whole.events));
        for (const event of join(cutUp.events)) {
          if (event.type !== "text") continue;
          for (const one of stops) assert.ok(!event.text.includes(one), `${one} in ${event.text}`);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
