export type { ChatEngine, TargetStatus } from "./engine.ts";
