// A resource as the rest of the house sees it: the store's record without the key's hash,
// so that whoever lists, logs or renders one cannot show what belongs to the gate.

import type { ResourceRecord } from "../store/index.ts";

export type Resource = Omit<ResourceRecord, "keyHash">;

export const toResource = ({
  id,
  name,
  model,
  plan,
  createdAt,
  keyCreatedAt,
  aliases,
}: ResourceRecord): Resource => ({ id, name, model, plan, createdAt, keyCreatedAt, aliases });
