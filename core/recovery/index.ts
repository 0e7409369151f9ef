/**
 * Recovery: what is kept in the vault's bucket so that a lost ledger can be made again from it. Backups describe each new
 * state of an item in a small encrypted object, deletions leave a mark, and the rebuild reads both. The byte formats are
 * in `core/vault/FORMAT.md`, section 6.
 */
export {
  markItemErased,
  markOrganisationErased,
  markVersionErased,
  unmarkVersionErased,
} from "./erasure-marks.ts";
export { keepState } from "./keep-state.ts";
export { rebuildLedger } from "./rebuild-ledger.ts";
export { findSameState } from "./recovery.store.ts";
export type { RebuildEvent } from "./types.ts";
