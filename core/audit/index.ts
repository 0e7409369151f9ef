/** The audit trail: who did what. Entries are written together with the action and never changed. */
export { anchorAudit } from "./anchors.ts";
export { type ChainReport, checkAudit } from "./check-chain.ts";
export { eraseTrail } from "./erase-trail.ts";
export { findChainHead } from "./find-chain-head.ts";
export {
  type AuditAction,
  type AuditQuestion,
  type AuditView,
  countActions,
  exportActions,
  findTrailStart,
  listActions,
} from "./list-actions.ts";
export {
  type AuditEntry,
  auditStatement,
  OURSELVES,
  recordAction,
  recordActions,
  sessionOccasion,
} from "./record-action.ts";
export { sealAudit } from "./seal-entries.ts";
