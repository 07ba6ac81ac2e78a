import { readFileSync } from "node:fs";

/** The release, from the package file beside both `src` and `dist`. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
).version;
