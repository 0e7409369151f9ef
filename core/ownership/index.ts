/**
 * Who an organisation belongs to, and whether it goes on: its ownership is handed over, or its account is closed, kept for a
 * while, and removed.
 */
export { closeAccount, endClosedSubscriptions } from "./close-account.ts";
export { handOverOwnership } from "./hand-over.ts";
export { queueClosures, removeClosed } from "./remove-closed.ts";
export { warnOfClosures } from "./warn-of-closures.ts";
