export { type Admin, type CreatedResource, createAdmin, type ListedModel } from "./admin.ts";
export type { ServerStatus } from "./admin-routes.ts";
export { openState, type State } from "./open-state.ts";
export { createPublicRoutes, NOT_OFFERED } from "./public-routes.ts";
export { type Service, type ServiceOptions, startService } from "./service.ts";
