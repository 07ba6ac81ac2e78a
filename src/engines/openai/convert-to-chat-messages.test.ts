import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTestCall } from "../../../test/support/mock-upstream-caller.ts";
import type { Message } from "../../call/index.ts";
import type { ReplayField } from "./chat-message.ts";
import { convertToChatMessages } from "./convert-to-chat-messages.ts";

const text = (value: string) => ({ type: "text", text: value }) as const;

const convert = (messages: readonly Message[], replay: ReplayField = "none") =>
  convertToChatMessages(createTestCall({ messages }), replay);

describe("the messages of a chat request", () => {
  test("put the system prompt first and leave later system messages in place", () => {
    const call = createTestCall({
      system: [text("Be brief."), text("Be kind.")],
      messages: [
        { role: "user", parts: [text("a")] },
        { role: "system", parts: [text("Now rhyme.")] },
        { role: "user", parts: [text("b")] },
      ],
    });
    assert.deepEqual(convertToChatMessages(call, "none"), [
      { role: "system", content: "Be brief.\nBe kind." },
      { role: "user", content: "a" },
      { role: "system", content: "Now rhyme." },
      { role: "user", content: "b" },
    ]);
  });

  test("use parts only where a user message has an image", () => {
    const base64 = { type: "base64", mediaType: "image/png", data: "iVBO" } as const;
    const url = { type: "url", url: "https://example.com/cat.jpg" } as const;
    assert.deepEqual(
      convert([
        {
          role: "user",
          parts: [text("What?"), { type: "image", source: base64 }, { type: "image", source: url }],
        },
      ]),
      [
        {
          role: "user",
          content: [
            { type: "text", text: "What?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } },
            { type: "image_url", image_url: { url: "https://example.com/cat.jpg" } },
          ],
        },
      ],
    );
  });

  test("keep the arguments of earlier tool calls byte for byte, and say null for no text", () => {
    const written = '{"n": 1.0,\n "s":"\\u00e9"}';
    assert.deepEqual(
      convert([
        {
          role: "assistant",
          parts: [{ type: "tool_call", id: "call_1", name: "add", arguments: written }],
        },
      ]),
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "add", arguments: written } },
          ],
        },
      ],
    );
  });

  test("give every tool result its own message and show the model which one failed", () => {
    const image = {
      type: "image",
      source: { type: "base64", mediaType: "image/png", data: "AA" },
    } as const;
    assert.deepEqual(
      convert([
        {
          role: "tool",
          parts: [
            { type: "tool_result", callId: "a", parts: [text("one"), text("two")], isError: false },
            { type: "tool_result", callId: "b", parts: [text("no such file")], isError: true },
            { type: "tool_result", callId: "c", parts: [image], isError: false },
            { type: "tool_result", callId: "d", parts: [], isError: true },
          ],
        },
      ]),
      [
        { role: "tool", tool_call_id: "a", content: "one\ntwo" },
        { role: "tool", tool_call_id: "b", content: "Error: no such file" },
        { role: "tool", tool_call_id: "c", content: "[1 image(s) follow]" },
        { role: "tool", tool_call_id: "d", content: "Error: the tool failed." },
        {
          role: "user",
          content: [
            { type: "text", text: "Images returned by tool call c:" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
          ],
        },
      ],
    );
  });

  test("replay thinking in the field the engine names, and nowhere by default", () => {
    const history: Message[] = [
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "Hm. ", signature: "sig==" },
          { type: "redacted_thinking", data: "cipher" },
          text("Yes."),
        ],
      },
    ];
    assert.deepEqual(convert(history), [{ role: "assistant", content: "Yes." }]);
    assert.deepEqual(convert(history, "reasoning_content"), [
      { role: "assistant", content: "Yes.", reasoning_content: "Hm. " },
    ]);
    assert.deepEqual(convert(history, "reasoning"), [
      {
        role: "assistant",
        content: "Yes.",
        reasoning: "Hm. ",
        reasoning_details: [
          { type: "reasoning.text", text: "Hm. ", signature: "sig==" },
          { type: "reasoning.encrypted", data: "cipher" },
        ],
      },
    ]);
  });
});
