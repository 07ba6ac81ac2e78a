// How a caller's own values and names stand in an error message: JSON, cut short, with
// nothing in it that could break a log line or a terminal. A megabyte stays out of it.

const MOST_CHARACTERS = 64;

/** JSON leaves these as they are: DEL, C1 controls, line separators, bidirectional marks. */
const UNPRINTABLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function showValue(value: unknown): string {
  const whole = encode(value, MOST_CHARACTERS);
  // Two quotes and the mark of a cut come on top.
  return whole.length <= MOST_CHARACTERS + 3 ? whole : `${startOf(whole, MOST_CHARACTERS)}…`;
}

/** A name as it stands, without quotes. */
export function showName(name: string): string {
  const whole = encodeString(startOf(name, MOST_CHARACTERS)).slice(1, -1);
  return name.length <= MOST_CHARACTERS ? whole : `${whole}…`;
}

/** The path of a field in JavaScript notation: `messages[2].role`. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  if (!IDENTIFIER.test(step)) return `${path}["${showName(step)}"]`;
  return path === "" ? showName(step) : `${path}.${showName(step)}`;
}

function encode(value: unknown, room: number): string {
  if (typeof value === "string") {
    const start = encodeString(startOf(value, room));
    return value.length <= room ? start : `${start.slice(0, -1)}…"`;
  }
  if (Array.isArray(value)) return `[${encodeItems(value.entries(), room - 1)}]`;
  if (typeof value === "object" && value !== null) {
    return `{${encodeItems(Object.entries(value), room - 1)}}`;
  }
  return String(value);
}

/** Each level takes from the room that is left, so a deep value ends the recursion early. */
function encodeItems(items: Iterable<[string | number, unknown]>, room: number): string {
  let text = "";
  for (const [key, value] of items) {
    if (text !== "") text += ",";
    if (text.length >= room) return `${text}…`;
    if (typeof key === "string") text += `${encode(key, room - text.length)}:`;
    text += encode(value, Math.max(0, room - text.length));
  }
  return text;
}

const encodeString = (text: string): string =>
  JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Never ends in half a character. */
function startOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
