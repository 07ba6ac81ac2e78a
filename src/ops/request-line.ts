// The line that every request leaves in the log. It is the one hot line of the house, so it
// is written by hand: pino's walk over a dozen fields costs three times as much. It names
// the route's pattern, never the address, and has no place for bodies, headers or keys.

import type { Usage } from "../call/index.ts";

export type RequestLine = {
  readonly requestId: string;
  readonly method: string;
  /** The pattern that matched, such as `/v1/chat/completions`. */
  readonly route: string;
  readonly status: number;
  readonly outcome: "ok" | "error" | "aborted";
  /** A model of the catalog; absent when the request named none. */
  readonly model?: string | undefined;
  /** The name of the resource whose key was used. */
  readonly resource?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly durationMs: number;
  readonly ttftMs?: number | undefined;
};

/** `opening` is everything up to the first field: `{"level":"info","time":"…"`. */
export function formatRequestLine(opening: string, line: RequestLine): string {
  let text = `${opening},"requestId":${quoted(line.requestId)},"method":${quoted(line.method)},"route":${quoted(line.route)},"status":${line.status},"outcome":"${line.outcome}"`;
  if (line.model !== undefined) text += `,"model":${quoted(line.model)}`;
  if (line.resource !== undefined) text += `,"resource":${quoted(line.resource)}`;
  if (line.usage !== undefined) text += tokens(line.usage);
  text += `,"durationMs":${rounded(line.durationMs)}`;
  if (line.ttftMs !== undefined) text += `,"ttftMs":${rounded(line.ttftMs)}`;
  return `${text},"msg":"request"}\n`;
}

function tokens(usage: Usage): string {
  let text = `,"promptTokens":${usage.promptTokens},"completionTokens":${usage.completionTokens}`;
  if (usage.cachedTokens !== undefined) text += `,"cachedTokens":${usage.cachedTokens}`;
  if (usage.reasoningTokens !== undefined) text += `,"reasoningTokens":${usage.reasoningTokens}`;
  return usage.estimated ? `${text},"estimated":true` : text;
}

/** Most of these strings need no escaping, and looking is cheaper than JSON.stringify. */
const PLAIN = /^[\w ./:{}*-]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
