// What a chat completion asks for: fields, tools, thinking.

import { proved, type Section, testsOf } from "./requirement.ts";

const request = testsOf("test/conformance/chat-request.test.ts");
const tools = testsOf("test/conformance/chat-tools.test.ts");
const thinking = testsOf("test/conformance/chat-thinking.test.ts");
const access = testsOf("test/conformance/access.test.ts");
const catalog = testsOf("src/catalog/catalog.test.ts");
const call = testsOf("src/dialects/chat/to-call.test.ts");

export const chatRequestSections: readonly Section[] = [
  {
    title: "Chat completion request",
    requirements: [
      proved(
        "chat-request.model",
        "`model`: required, the id of a chat model provisioned for the key",
        request("model is required and names the chat model that answers"),
        access("a valid key used with another key's model is 403"),
      ),
      proved(
        "chat-request.messages",
        "`messages`: required; roles system, user, assistant, tool, each with content",
        request("messages is required and carries every role to the upstream, in order"),
      ),
      proved(
        "chat-request.max_completion_tokens",
        "`max_completion_tokens`: up to 4096 on the small tier, 8192 on the mid tier",
        request("max_completion_tokens caps the output, at the tier's maximum where it is absent"),
        request("max_completion_tokens goes to 4096 on the small tier and to 8192 on the mid tier"),
      ),
      proved(
        "chat-request.temperature",
        "`temperature`: 0.0 to 1.0, default 1.0",
        request("temperature is 1.0 by default and goes from 0.0 to 1.0"),
      ),
      proved(
        "chat-request.top_p",
        "`top_p`: 0 to 1.0, default 0.999",
        request("top_p is 0.999 by default and goes from 0 to 1.0"),
      ),
      proved(
        "chat-request.stream",
        "`stream`: default false; true answers with server-sent events",
        request("stream is false by default and makes the reply an event stream when true"),
      ),
      proved(
        "chat-request.stop",
        "`stop`: strings at which the output ends",
        request("stop is handed on as a list of strings, one alone as well"),
      ),
      proved(
        "chat-request.tools",
        "`tools`: what the model may call",
        tools("a tool reaches the upstream with its name, description and parameters"),
      ),
      proved(
        "chat-request.tool_choice",
        "`tool_choice`: none, auto, required or one function; default required",
        tools("tool_choice is required by default where there are tools"),
        tools("tool_choice with any other word is refused"),
      ),
      proved(
        "chat-request.extended_thinking",
        "`extended_thinking`: an object, absent by default",
        thinking("extended_thinking.enabled turns thinking on, and nothing else does"),
      ),
      proved(
        "chat-request.response_format",
        "`response_format`: json_object turns on JSON mode",
        request("response_format json_object turns on JSON mode"),
      ),
      proved(
        "chat-request.ignored",
        "seed, n, presence_penalty, frequency_penalty: taken and ignored",
        request("seed, n, presence_penalty and frequency_penalty are accepted and ignored"),
      ),
      proved(
        "chat-request.logprobs",
        "No log probabilities",
        request("log probabilities are refused as unavailable"),
      ),
      proved(
        "chat-request.images",
        "Image input depends on the model",
        request("images reach a model that sees and are refused by one that does not"),
      ),
      proved(
        "chat-request.max_tokens",
        "`max_tokens` succeeds; here it is another name of max_completion_tokens",
        request("max_tokens succeeds as another name of max_completion_tokens"),
      ),
    ],
  },
  {
    title: "Tool object",
    requirements: [
      proved("tool.type", "`type` is function", tools("a tool is of type function and no other")),
      proved(
        "tool.name",
        "`function.name`",
        tools("a tool has a name, required, of letters, digits, underscores and hyphens"),
      ),
      proved(
        "tool.description",
        "`function.description`",
        tools("a tool reaches the upstream with its name, description and parameters"),
      ),
      proved(
        "tool.parameters",
        "`function.parameters`: an object schema with properties and required",
        tools("a tool has parameters that are an object schema, or none at all"),
      ),
    ],
  },
  {
    title: "tool_choice meanings",
    requirements: [
      proved(
        "tool_choice.none",
        "`none`: no call",
        tools("tool_choice none brings text and no call"),
      ),
      proved(
        "tool_choice.auto",
        "`auto`: any number of calls, or none",
        tools("tool_choice auto leaves the choice to the model"),
      ),
      proved(
        "tool_choice.required",
        "`required`: one call or more",
        tools("tool_choice required brings at least one call"),
      ),
      proved(
        "tool_choice.named",
        "An object: that function, with structured arguments",
        tools("tool_choice with a named function forces that one and brings structured arguments"),
      ),
    ],
  },
  {
    title: "extended_thinking object",
    requirements: [
      proved(
        "extended_thinking.enabled",
        "`enabled` turns it on",
        thinking("extended_thinking.enabled turns thinking on, and nothing else does"),
      ),
      proved(
        "extended_thinking.budget_tokens",
        "`budget_tokens`: 1024 or more, up to the model's maximum",
        thinking("extended_thinking.budget_tokens is at least 1024 and at most what the model has"),
      ),
      proved(
        "extended_thinking.include_reasoning",
        "`include_reasoning`: the trace comes with the message",
        thinking("extended_thinking.include_reasoning returns the trace in the message"),
        thinking("without include_reasoning the trace stays inside"),
      ),
      proved(
        "extended_thinking.models",
        "Only the mid tier of the generations 3.7 and 4; any other model fails",
        thinking(
          "extended_thinking is for the mid tier of the generations 3.7 and 4, and refused by every other model",
        ),
        catalog("lets exactly the 3.7 and 4 generation of the mid tier think"),
        call("extended_thinking on a model that does not think is refused, and says which do"),
      ),
    ],
  },
];
