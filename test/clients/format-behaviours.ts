// JSON on demand: as any object, and in the shape of a schema.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Stage, WAYS } from "./stage.ts";

const schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer", minimum: 3 },
    sunny: { type: "boolean" },
  },
  required: ["city", "days", "sunny"],
  additionalProperties: false,
};

export function formatBehaviours(stage: Stage): void {
  for (const { way, send } of WAYS) {
    test(`JSON mode answers with JSON (${way})`, async () => {
      const ask = { messages: "Answer in JSON", format: { type: "json" } } as const;
      const said = await send(await stage.client(), ask);
      assert.deepEqual(stage.bed.lastRequest().body.response_format, { type: "json_object" });
      assert.deepEqual(JSON.parse(said.text), { answer: "Answer in JSON" });
    });

    test(`a schema reaches the upstream unchanged, and the answer fits it (${way})`, async () => {
      const format = { type: "schema", name: "forecast", schema } as const;
      const said = await send(await stage.client(), { messages: "Forecast", format });
      assert.deepEqual(stage.bed.lastRequest().body.response_format, {
        type: "json_schema",
        json_schema: { name: "forecast", schema, strict: true },
      });
      assert.deepEqual(JSON.parse(said.text), { city: "text", days: 3, sunny: true });
    });
  }
}
