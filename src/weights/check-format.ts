// A last look before a file counts as weights: a login page or a list of links saved under a
// model's name is found out here, and not inside native code.

import { open } from "node:fs/promises";
import { invalidRequest } from "../call/index.ts";

const MAGIC = "GGUF";
/** Known by their names to be something else. */
const OTHER_FORMATS = /\.(onnx|safetensors|json|txt)$/i;

/** `name` tells the format; `path` is where the bytes lie now. */
export async function checkFormat(name: string, path: string): Promise<void> {
  if (OTHER_FORMATS.test(name)) return;
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    if (buffer.toString("latin1", 0, bytesRead) === MAGIC) return;
  } finally {
    await file.close();
  }
  throw invalidRequest(`${name} is no GGUF file: it does not begin with ${MAGIC}`);
}
