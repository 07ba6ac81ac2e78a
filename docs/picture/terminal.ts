// Draws docs/pictures/terminal.svg: a session that is really run, with an engine that echoes
// (the tests' stand-in) behind it. `node docs/picture/terminal.ts` draws it again.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { configFor } from "../../test/support/chat.ts";
import { spawnHearth } from "../../test/support/hearth.ts";
import { startMockUpstream } from "../../test/support/mock-upstream.ts";
import { reply } from "../../test/support/mock-upstream-reply.ts";
import { drawTerminal, type TerminalLine } from "./draw-terminal.ts";

const PICTURE = fileURLToPath(new URL("../pictures/terminal.svg", import.meta.url));
const ENGINE = "http://127.0.0.1:11434/v1";
const ADDRESS = "http://127.0.0.1:8080";

const upstream = await startMockUpstream({ respond: reply() });
const hearth = await spawnHearth({ config: configFor(upstream.url) });

const shown = (text: string): TerminalLine[] =>
  stripVTControlCharacters(text)
    .replaceAll(hearth.url, ADDRESS)
    .replaceAll(upstream.url, ENGINE)
    .replace(/\/\S*\/hearth\.json/g, "hearth.json")
    .replaceAll(hearth.dataDirectory, "~/hearth/.hearth")
    .replace(/(inf-[0-9a-f]{8})[0-9a-f-]+/g, "$1-…")
    .trimEnd()
    .split("\n")
    .map((line) => ({ text: line, kind: "output" }));

const session: TerminalLine[] = [
  { text: "$ npm start", kind: "command" },
  ...shown(hearth.greeting.join("\n")),
];
for (const words of [
  ["models", "create", "my-haiku"],
  ["models", "list"],
  ["call", "INFERENCE", "-p", "The fire is lit. Come in."],
  ["doctor"],
]) {
  const { stdout } = await hearth.command(...words);
  const typed = words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ");
  session.push({ text: "", kind: "output" }, { text: `$ npx hearth ${typed}`, kind: "command" });
  session.push(...shown(stdout));
}
await hearth.end("SIGTERM");
await upstream.close();
await writeFile(PICTURE, drawTerminal(session));
