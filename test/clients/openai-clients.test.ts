// The OpenAI library in the three majors that are in use, against a whole Hearth.

import { openAiLibrary } from "./openai-adapter.ts";
import { openAiHelperBehaviours } from "./openai-helper-behaviours.ts";
import { openAi4, openAi5, openAi7 } from "./openai-majors.ts";
import { runSuite } from "./suite.ts";

for (const major of [openAi4, openAi5, openAi7]) {
  runSuite(openAiLibrary(major), (stage) => openAiHelperBehaviours(stage, major));
}
