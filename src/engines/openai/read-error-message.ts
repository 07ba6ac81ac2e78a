// The sentence inside an upstream's error, whatever shape it has: OpenAI's object, a bare
// string, FastAPI's `detail` (text or a list of field problems), or no JSON at all.

import { asArray, asRecord, asText, parseJson } from "./read-json.ts";

/** Undefined when there is nothing a person could read. */
export function readErrorMessage(error: unknown): string | undefined {
  const text = asText(error);
  if (text !== undefined) return text;
  const record = asRecord(error);
  if (record === undefined) return undefined;
  return (
    asText(record.message) ??
    (record.error === undefined ? undefined : readErrorMessage(record.error)) ??
    readDetail(record.detail)
  );
}

export function readErrorBody(body: string): string | undefined {
  const parsed = parseJson(body);
  if (parsed !== undefined) return readErrorMessage(parsed);
  const text = body.trim();
  // A proxy's HTML page says nothing to the caller of a model.
  return text === "" || text.startsWith("<") ? undefined : text;
}

function readDetail(detail: unknown): string | undefined {
  const list = asArray(detail);
  if (list === undefined) return asText(detail);
  const problems = list.slice(0, 5).map((problem) => {
    const record = asRecord(problem);
    const place = asArray(record?.loc)?.join(".");
    return [place, asText(record?.msg)].filter(Boolean).join(": ");
  });
  return asText(problems.filter(Boolean).join("; "));
}
