// A model in hearth.json: everything may be left out that the built-in entry of its id says.

import { type Static, Type } from "typebox";
import { EngineSchema } from "./engine-schema.ts";

const Limit = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description });

export const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;

export const ModelSchema = Type.Object(
  {
    kind: Type.Optional(
      Type.Union(
        [
          Type.Literal("chat"),
          Type.Literal("embedding"),
          Type.Literal("rerank"),
          Type.Literal("image"),
        ],
        { description: "What the model does. Default: that of the built-in entry, else chat." },
      ),
    ),
    tier: Type.Optional(
      Type.Union([Type.Literal("small"), Type.Literal("mid")], {
        description:
          "Size class of a chat model; it decides the output maximum and the limits. Default: the word haiku (small) or sonnet (mid) in the id.",
      }),
    ),
    generation: Type.Optional(Type.String({ description: "Version of its family, such as 4.5." })),
    thinking: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          Type.Object(
            {
              max_budget_tokens: Type.Integer({
                minimum: 1024,
                description: "Largest thinking budget a request may ask for.",
              }),
            },
            { additionalProperties: false },
          ),
        ],
        {
          description:
            "Whether it takes extended_thinking; an object sets the largest budget. Default: that of the built-in entry, else false.",
        },
      ),
    ),
    vision: Type.Optional(
      Type.Boolean({ description: "Whether messages may hold images. Default: false." }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 256,
        description: "Tokens of prompt and output together. Default: 32768.",
      }),
    ),
    max_output: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "Most tokens of output. Default: 4096 for the small tier, 8192 for the others.",
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          requests: Type.Optional(
            Limit("Requests a minute; null: unlimited. Default: that of the model class."),
          ),
          tokens: Type.Optional(
            Limit("Tokens a minute; null: unlimited. Default: that of the model class."),
          ),
        },
        { additionalProperties: false, description: "Per sliding minute." },
      ),
    ),
    cache: Type.Optional(
      Type.Object(
        {
          min_tokens: Type.Optional(
            Type.Integer({
              minimum: 1,
              description: "Smallest prefix worth caching. Default: 1024.",
            }),
          ),
        },
        { additionalProperties: false, description: "Prompt caching." },
      ),
    ),
    regions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Regions that /available-models names. Default: ["local"].',
      }),
    ),
    engine: Type.Optional(
      Type.Union([EngineSchema, Type.Array(EngineSchema, { minItems: 1 })], {
        description: "One engine, or a list: a pool with weights and fail-over.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "A model. Absent fields come from the built-in entry.",
  },
);

export type ModelConfig = Static<typeof ModelSchema>;
