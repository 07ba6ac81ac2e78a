// Every generated file of the repository with the text it should have. A test compares them
// with what is there, so that none can be edited by hand or forgotten.

import { createConfigPage } from "./config-page.ts";
import { createConfigSchema } from "./config-schema.ts";
import { createConformancePage } from "./conformance-page.ts";
import { writeJson } from "./json.ts";
import { createOpenApi } from "./openapi.ts";

export type GeneratedFile = { readonly path: string; readonly text: string };

/** Paths count from the root of the repository. */
export async function generateFiles(): Promise<readonly GeneratedFile[]> {
  return [
    { path: "docs/api/openapi.json", text: writeJson(await createOpenApi()) },
    { path: "hearth.schema.json", text: writeJson(createConfigSchema()) },
    { path: "docs/configuration.md", text: createConfigPage() },
    { path: "docs/conformance.md", text: createConformancePage() },
  ];
}
