export { reachModel } from "./access.ts";
export {
  type Admission,
  type AdmissionOptions,
  type AdmissionRequest,
  type BucketOwner,
  createAdmission,
  type Reservation,
} from "./admission.ts";
export { type ConfigVariables, configVariables } from "./config-variables.ts";
export { createKeyRing, type HeaderValue, type KeyRing } from "./key-ring.ts";
export {
  createMemorySharedState,
  type MemorySharedState,
  type MemorySharedStateOptions,
} from "./memory-shared-state.ts";
export {
  type CreateRequest,
  createProvisioning,
  type Provisioned,
  type Provisioning,
  type ProvisioningOptions,
} from "./provisioning.ts";
export { type Randomness, secureRandomness } from "./randomness.ts";
export { rateLimitHeaders } from "./rate-limit-headers.ts";
export type { Resource } from "./resource.ts";
export type { Decision, LimitStanding, SharedState, Standing } from "./shared-state.ts";
export { openWallet, type Wallet, type WalletOptions } from "./wallet.ts";
