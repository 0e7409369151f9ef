/**
 * Replicas: copies of versions in the customer's own storage. Each version has one copy, the same ZIP as a download. It
 * is made after the version passed its check and expires with it. A failed copy does not affect the version.
 */

export { afterCheck, copyTarget } from "./await-copy.ts";
export { catchUpReplicas } from "./catch-up.ts";
export { addKeyStorage, beginStorageConsent, completeStorageConsent } from "./connect-storage.ts";
export { describeStorage } from "./describe-storage.ts";
export { disconnectStorage, dropStorage } from "./disconnect-storage.ts";
export { findStorageSummary } from "./find-storage-summary.ts";
export { keysSchemaOf } from "./keys-schema.ts";
export { removeCopies } from "./remove-copies.ts";
export { type CopyFacts, copiesOf } from "./replica.store.ts";
export { runReplicate } from "./run-replicate.ts";
export { setCopiedPlatforms } from "./set-platforms.ts";
export type * from "./views.ts";
