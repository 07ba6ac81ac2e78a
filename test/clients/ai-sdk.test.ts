// The AI SDK with its provider for OpenAI-compatible services, against a whole Hearth.

import { aiSdkLibrary } from "./ai-sdk-adapter.ts";
import { aiSdkBehaviours } from "./ai-sdk-behaviours.ts";
import { runSuite } from "./suite.ts";

runSuite(aiSdkLibrary, aiSdkBehaviours);
