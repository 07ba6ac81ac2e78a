// Tells the model in words what the grammar will hold it to: without knowing, it would fill the
// shape with nonsense.

import type { Format } from "../../../call/index.ts";
import { describeSchema } from "./describe-schema.ts";

export function describeFormat(format: Format): string | undefined {
  switch (format.type) {
    case "text":
      return undefined;
    case "json":
      return "Answer with a JSON object and nothing else.";
    case "json_schema":
      return `Answer with JSON and nothing else, of this type: ${describeSchema(format.schema)}`;
  }
}
