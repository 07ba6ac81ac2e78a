// POST /v1/chat/completions: dialect in, door, dialect out.

import { randomUUID } from "node:crypto";
import type { Catalog } from "../catalog/index.ts";
import {
  createChatBody,
  createChatStream,
  parseChatRequest,
  type ReplyOptions,
  toCall,
} from "../dialects/index.ts";
import type { CallerRoute } from "./caller.ts";
import type { Door } from "./door.ts";
import { fitOutputCap, measurePrompt } from "./estimate-tokens.ts";
import { replyWithBody, replyWithStream } from "./reply.ts";

export type ChatRouteOptions = {
  readonly door: Door;
  readonly catalog: Catalog;
  /** The operator's name and its aliases, as in X-<Operator>-Prompt-Caching. */
  readonly operators: readonly string[];
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export const CHAT_PATH = "/v1/chat/completions";

export function createChatRoute({ door, catalog, operators, now }: ChatRouteOptions): CallerRoute {
  const cachingHeaders = operators.map((name) => `x-${name}-prompt-caching`);
  const thinkingModels = catalog
    .available()
    .filter((model) => model.thinking !== null)
    .map((model) => model.id);

  return {
    method: "POST",
    path: CHAT_PATH,
    async handle(caller) {
      const { exchange, resource } = caller;
      const body = await exchange.readJson();
      caller.suppose(body);
      const request = parseChatRequest(body);
      const model = caller.reach(request.model);
      const asked = toCall(request, model, {
        id: exchange.requestId,
        caller: resource.id,
        promptCaching: !cachingHeaders.some((name) => exchange.header(name) === "false"),
        thinkingModels,
      });
      const prompt = measurePrompt(asked.call, exchange.bodyBytes);
      const call = asked.cappedByCaller
        ? asked.call
        : fitOutputCap(asked.call, prompt, model.context);
      const admitted = await door.admit({
        call,
        model,
        resource,
        route: CHAT_PATH,
        prompt,
        trace: exchange.report.trace,
      });
      caller.announce(admitted.standing);
      const options: ReplyOptions = {
        id: randomUUID(),
        created: Math.floor(now() / 1000),
        model: model.id,
        includeReasoning: asked.includeReasoning,
      };
      if (call.stream) await replyWithStream(exchange, admitted, createChatStream(options));
      else await replyWithBody(exchange, admitted, createChatBody(options));
    },
  };
}
