// `npm run docs`: writes every generated file anew.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { generateFiles } from "./generate/files.ts";

for (const { path, text } of await generateFiles()) {
  const place = fileURLToPath(new URL(`../${path}`, import.meta.url));
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
  console.log(path);
}
