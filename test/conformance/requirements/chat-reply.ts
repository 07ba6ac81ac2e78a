// What a chat completion answers, whole and in chunks.

import { proved, type Section, testsOf } from "./requirement.ts";

const thinking = testsOf("test/conformance/chat-thinking.test.ts");
const reply = testsOf("test/conformance/chat-reply.test.ts");
const stream = testsOf("test/conformance/chat-stream.test.ts");

const oneModel = stream("chunks have one id, one time and one model, and the chunk object");

export const chatReplySections: readonly Section[] = [
  {
    title: "Chat completion response",
    requirements: [
      proved(
        "chat-reply.id",
        "`id`: a new one for every completion",
        reply("id is another one for every completion"),
      ),
      proved(
        "chat-reply.object",
        "`object` is chat.completion",
        reply("object is chat.completion"),
      ),
      proved(
        "chat-reply.created",
        "`created` in Unix seconds",
        reply("created is the Unix time of the reply in whole seconds"),
      ),
      proved(
        "chat-reply.model",
        "`model`: the id that was used",
        reply("model is the id that was asked for, whatever the upstream calls it"),
      ),
      proved(
        "chat-reply.choices",
        "`choices`: exactly one",
        reply("choices has exactly one element of index 0, also when more were asked for or came"),
      ),
      proved(
        "chat-reply.index",
        "`choices[0].index` is 0",
        reply("a reply has all its fields and no others"),
      ),
      proved(
        "chat-reply.role",
        "`message.role` is assistant",
        reply("message has the role assistant and the generated text as content"),
      ),
      proved(
        "chat-reply.content",
        "`message.content`: the text, always a string",
        reply("message has the role assistant and the generated text as content"),
      ),
      proved(
        "chat-reply.tool_calls",
        "`message.tool_calls`, where there are any: name, and arguments as JSON text",
        reply(
          "tool_calls has the name and the arguments as JSON text, beside content that is a string",
        ),
      ),
      proved(
        "chat-reply.reasoning",
        "`message.reasoning`, where it was asked for",
        thinking("extended_thinking.include_reasoning returns the trace in the message"),
        thinking("without include_reasoning the trace stays inside"),
      ),
      proved(
        "chat-reply.finish_reason",
        "`finish_reason`: stop, length or tool_calls",
        reply("finish_reason is stop at a natural end"),
        reply("finish_reason is length, with status 200, where the output was cut"),
        reply("finish_reason is tool_calls where the model made calls"),
      ),
      proved(
        "chat-reply.prompt_tokens",
        "`usage.prompt_tokens`",
        reply("usage counts prompt, completion and their total"),
      ),
      proved(
        "chat-reply.completion_tokens",
        "`usage.completion_tokens`",
        reply("usage counts prompt, completion and their total"),
      ),
      proved(
        "chat-reply.total_tokens",
        "`usage.total_tokens`",
        reply("usage counts prompt, completion and their total"),
      ),
    ],
  },
  {
    title: "Streaming chunk",
    requirements: [
      proved("chunk.id", "`id` of the completion", oneModel),
      proved("chunk.object", "`object` is chat.completion.chunk", oneModel),
      proved("chunk.created", "`created` in Unix seconds", oneModel),
      proved("chunk.model", "`model` id", oneModel),
      proved("chunk.index", "`choices[].index` is 0", stream("chunks have one choice of index 0")),
      proved(
        "chunk.delta",
        "`choices[].delta`: role and content first, then content",
        stream("the first delta has the role and a piece of content, later ones have content"),
      ),
      proved(
        "chunk.finish_reason",
        "`choices[].finish_reason`: null until the end",
        stream("finish_reason is null while generating and then says why it ended"),
      ),
    ],
  },
];
