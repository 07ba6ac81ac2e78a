export { offeredTools } from "./compile-answer-grammar.ts";
export { type PlanOptions, planGeneration } from "./plan-generation.ts";
export { CALL_CLOSE, CALL_OPEN } from "./tool-call-format.ts";
