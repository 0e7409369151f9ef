/**
 * Maintenance of versions: the check after a backup and its repeats, retention and prune, repacking, and the deletion
 * of an item's data.
 */
export { checkAgain, expire, prune } from "./night-watch.ts";
export { queueRepacks, runRepack } from "./repack.ts";
export { runDelete } from "./run-delete.ts";
export { runVerify } from "./run-verify.ts";
