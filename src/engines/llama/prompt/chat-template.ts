// A model's Jinja template, parsed once. The template belongs to the weights that the operator
// chose, and is trusted; what goes through it are stand-ins only.

import { Template } from "@huggingface/jinja";
import type { TemplateFacts } from "../plan.ts";
import type { TemplateInput } from "./template-messages.ts";

export type ChatTemplate = {
  readonly source: string;
  /** Undefined where the template refuses the conversation. */
  render(input: TemplateInput, thinking: boolean): string | undefined;
};

const MOST_KEPT = 8;
const kept = new Map<string, Template | undefined>();

/** Undefined where the text is no template. */
export function readChatTemplate(source: string, facts: TemplateFacts): ChatTemplate | undefined {
  const template = parse(source);
  if (template === undefined) return undefined;
  return {
    source,
    render(input, thinking) {
      try {
        return template.render({
          ...input,
          add_generation_prompt: true,
          enable_thinking: thinking,
          bos_token: facts.bosToken,
          eos_token: facts.eosToken,
        });
      } catch {
        return undefined;
      }
    },
  };
}

function parse(source: string): Template | undefined {
  if (kept.has(source)) return kept.get(source);
  let template: Template | undefined;
  try {
    template = new Template(source);
  } catch {
    template = undefined;
  }
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(source, template);
  return template;
}
