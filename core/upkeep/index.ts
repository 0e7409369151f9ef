/**
 * Looks after taken versions: the check that follows a backup and is repeated, retention and prune, repacking, and the
 * removal of an item's data.
 */
export { checkAgain, expire, prune } from "./night-watch.ts";
export { queueRepacks, runRepack } from "./repack.ts";
export { runDelete } from "./run-delete.ts";
export { runVerify } from "./run-verify.ts";
