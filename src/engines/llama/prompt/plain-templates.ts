// For weights without a usable template: ChatML where the model has its tokens, else headings,
// which any model that has read the web understands.

import type { TemplateFacts } from "../plan.ts";

const CHATML = [
  "{{ bos_token }}{% for message in messages %}",
  "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
  "{% endfor %}{{ '<|im_start|>assistant\\n' }}",
].join("");

const HEADINGS = [
  "{{ bos_token }}{% for message in messages %}",
  "{{ '### ' + message.role | capitalize + ':\\n' + message.content + '\\n\\n' }}",
  "{% endfor %}{{ '### Assistant:\\n' }}",
].join("");

export const choosePlainTemplate = (facts: TemplateFacts): string =>
  facts.endTokens.includes("<|im_end|>") ? CHATML : HEADINGS;
