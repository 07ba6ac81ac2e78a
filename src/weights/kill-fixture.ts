// The process that kill.test.ts kills, or lets wait: pulls one source, and tells on standard
// output that it waits, how much has arrived, and where the file is.
// Arguments: the directory, the registry, the source.

import { writeSync } from "node:fs";
import { createWeightsStore } from "./create-weights-store.ts";

const [directory = "", registry = "", source = ""] = process.argv.slice(2);
const tell = (...words: (string | number)[]): void => void writeSync(1, `${words.join(" ")}\n`);

const store = createWeightsStore({
  directory,
  environment: { HOME: directory, npm_config_registry: registry },
  projectDirectory: directory,
  lockPollMs: 5,
});
const path = await store.pull(
  { source },
  {
    onWaiting: () => tell("waiting"),
    onProgress: ({ stage, doneBytes }) => tell(stage, doneBytes),
  },
);
tell("path", path);
