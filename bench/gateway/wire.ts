// What goes over the wire in this benchmark, known to both ends of it: the bodies that are
// sent, and the marks by which a whole reply and a stream's chunk are recognised.

/** The name that callers use, and the one the upstream insists on: a subject must rewrite. */
export const PUBLIC_MODEL = "bench-model";
export const UPSTREAM_MODEL = "upstream-model";

export const CHAT_PATH = "/v1/chat/completions";

/** Last words of every whole reply. */
export const REPLY_END = "and that is the whole of the answer.";
export const STREAM_END = "[DONE]";

/** A chunk's text is this and the microsecond at which it was written, as 16 digits. */
export const STAMP = "at ";
export const STAMP_DIGITS = 16;

const PARAGRAPH =
  "The orders of the last quarter are in the attached table, one line for each order, with " +
  "the date, the region, the amount and the name of the customer. ";

/** About one kilobyte: a system prompt and a short conversation. */
export const chatBody = (model: string, stream: boolean): string =>
  JSON.stringify({
    model,
    messages: [
      { role: "system", content: `You answer briefly and to the point. ${PARAGRAPH}` },
      { role: "user", content: `${PARAGRAPH}Which region sold the most?` },
      { role: "assistant", content: "The north, with 1,204 orders." },
      { role: "user", content: `${PARAGRAPH}And which customer ordered most often there?` },
    ],
    temperature: 0.7,
    max_tokens: 256,
    stream,
  });

/** Microseconds of a clock that all processes of one machine share. */
export function microseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return Math.round(seconds * 1e6 + nanoseconds / 1e3);
}
