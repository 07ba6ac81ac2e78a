// All requirements of the specification, in its order.

import { chatReplySections } from "./chat-reply.ts";
import { chatRequestSections } from "./chat-request.ts";
import { laterSections } from "./later-resources.ts";
import { limitSections } from "./limits.ts";
import type { Section } from "./requirement.ts";
import { endpointSections, serviceSection } from "./routes.ts";
import { ruleSections, versioningSection } from "./rules.ts";

export type { Proof, Requirement, Section, State } from "./requirement.ts";

export const sections: readonly Section[] = [
  serviceSection,
  ...chatRequestSections,
  ...chatReplySections,
  ...laterSections,
  ...endpointSections,
  ...ruleSections,
  ...limitSections,
  versioningSection,
];
