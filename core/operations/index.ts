/**
 * Runs the operations that a connector declares for its own platform: checks the right, opens the session, translates
 * errors, and records changes in the audit trail.
 */
export { runOperation } from "./run-operation.ts";
