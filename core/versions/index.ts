/**
 * Versions: the ledger's side of the vault. It records which objects exist and which manifest needs which of them, and
 * owns the one batch that makes a snapshot visible. Backups write through it; restores and exports read through it.
 */
export { addManifests } from "./add-manifests.store.ts";
export { commitSnapshot, type SnapshotCommit } from "./commit.store.ts";
export { listNearbyVersions, type NearbyVersion } from "./nearby.store.ts";
export { openVault, openVaultWith, openVersion, type VaultOwner } from "./open-vault.ts";
export {
  dropLooseManifests,
  END_OF_ITEMS,
  forgetObjects,
  markUnreferenced,
  readSweepPosition,
  recordSweepPosition,
  stretchBehind,
  takeObjectsOfItem,
  takeUnreferenced,
  unmarkReferenced,
} from "./prune.store.ts";
export {
  type FoundManifest,
  findListedManifest,
  findManifest,
  findObject,
  findObjects,
  findWholeVersion,
} from "./registry.store.ts";
export {
  commitRepack,
  hasOtherOpenRun,
  listManifests,
  listPacks,
  listRepackCandidates,
} from "./repack.store.ts";
export { listRestorePointRows, type RestorePoint } from "./restore-points.store.ts";
export {
  eraseSnapshot,
  expireSnapshots,
  findNewestSoundSnapshot,
  findSnapshot,
  findSnapshotOfAnyone,
  findSoundSnapshotBefore,
  listExpired,
  listLongUnverified,
  listNewestSoundSnapshots,
  recordVerdict,
  revokeLinks,
  type SnapshotRow,
} from "./snapshots.store.ts";
export { storeCompanion } from "./store-companion.ts";
