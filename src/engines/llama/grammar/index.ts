export { compileJsonObject, compileJsonSchema } from "./compile-json-schema.ts";
export { compileSchema } from "./compile-schema.ts";
export { quoteLiteral } from "./gbnf-text.ts";
export { GrammarBuilder } from "./grammar-builder.ts";
export { COLON, objectRule } from "./json-text.ts";
