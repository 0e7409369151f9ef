/** The audit trail: who did what. Entries are written together with the action and never changed. */
export { type AuditAction, type AuditView, countActions, listActions } from "./list-actions.ts";
export {
  type AuditEntry,
  auditStatement,
  recordAction,
  recordActions,
  sessionOccasion,
} from "./record-action.ts";
