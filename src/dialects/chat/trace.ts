// Gathers a reply's thinking as blocks, so that what a model signed or withheld comes back to
// it unchanged through the caller's history.

import type { CallEvent } from "../../call/index.ts";
import type { ChatReasoning, ChatReasoningBlock } from "./message-schema.ts";

export interface Trace {
  add(event: CallEvent): void;
  blocks(): readonly ChatReasoningBlock[];
  /** Whether the model will want it back exactly: something of it is signed or redacted. */
  isSealed(): boolean;
  /** Undefined when nothing was thought. */
  reasoning(): ChatReasoning | undefined;
}

export function createTrace(): Trace {
  const closed: ChatReasoningBlock[] = [];
  /** The text of the block that no signature has closed yet. */
  let open = "";

  const blocks = (): ChatReasoningBlock[] =>
    open === "" ? closed : [...closed, { type: "thinking", thinking: open }];

  return {
    add(event) {
      switch (event.type) {
        case "thinking":
          open += event.text;
          break;
        case "signature":
          closed.push({ type: "thinking", thinking: open, signature: event.signature });
          open = "";
          break;
        case "redacted_thinking":
          if (open !== "") closed.push({ type: "thinking", thinking: open });
          closed.push({ type: "redacted_thinking", data: event.data });
          open = "";
      }
    },
    blocks,
    isSealed: () => closed.length > 0,
    reasoning() {
      const all = blocks();
      if (all.length === 0) return undefined;
      const thought = all.filter((block) => block.type === "thinking");
      const signature = thought.at(-1)?.signature;
      return {
        thinking: thought.map((block) => block.thinking).join(""),
        ...(signature && { signature }),
        // One text with one signature says it all only where there is one block.
        ...((all.length > 1 || thought.length === 0) && { blocks: all }),
      };
    },
  };
}
