/**
 * The vault stores bytes: encrypted objects in a bucket, records in packs, and manifests that list the contents of a
 * snapshot. Organisations, items and runs are opaque names here, used for key derivation and object keys. FORMAT.md
 * describes the byte format. Whenever a run crashes, everything committed stays readable.
 */
export type { Bucket, BucketBody, BucketObject, MultipartUpload, UploadedPart } from "./bucket.ts";
export { diffManifests, type ManifestDifference } from "./diff-manifests.ts";
export { findRootsIn } from "./find-roots.ts";
export { objectKey, plainSize, storedSize } from "./format.ts";
export {
  createOrganisationKey,
  type MasterKeyRing,
  type OrganisationKey,
  openSecret,
  parseMasterKeys,
  rewrap,
  type SecretPurpose,
  sealSecret,
  unwrapOrganisationKey,
  type WrappedKey,
  wrapOrganisationKey,
} from "./keys.ts";
export { type ManifestReader, openManifest } from "./manifest-reader.ts";
export { openUnderMaster, sealUnderMaster } from "./master-seal.ts";
export { type NeededObject, type ReadManifest, readNeededObjects } from "./needed-objects.ts";
export type { ByteRange } from "./object-handle.ts";
export { type ObjectReader, openObjectReader, readObject } from "./object-reader.ts";
export { type ObjectTarget, type ObjectWriter, openObjectWriter, writeObject } from "./object-writer.ts";
export { planRepack } from "./plan-repack.ts";
export { readSample } from "./read-sample.ts";
export { measurePacks, type PackUse, type RepackResult, repackManifests } from "./repack.ts";
export { beginDraft, type DraftOrder, type SnapshotDraft } from "./snapshot-draft.ts";
export {
  type CompanionFinder,
  type EntryFacts,
  openSnapshot,
  type SnapshotReader,
} from "./snapshot-reader.ts";
export type { EntryName, StreamSink } from "./store-stream.ts";
export type {
  Completeness,
  DraftCursor,
  DraftResult,
  ListedManifest,
  Location,
  ManifestEntry,
  ManifestRef,
  ObjectKind,
  ObjectRegistry,
  ObjectScope,
  StoredObject,
} from "./types.ts";
export type { VaultDeps, VaultReadDeps } from "./vault-deps.ts";
export { VaultError, type VaultErrorKind } from "./vault-error.ts";
export {
  type VerifyCursor,
  type VerifyEvent,
  verifyCursorSchema,
  verifySnapshot,
} from "./verify-snapshot.ts";
