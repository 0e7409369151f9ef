/**
 * Compares two versions of an item. Skips manifest chunks that both share and folders with the same content id, and
 * follows history for a bounded distance, so that the cost depends on the changes and not on the size of the backup.
 */
export { compareProposalOf, type ProposalOrder } from "./compare-proposal.ts";
export { compareRecords } from "./compare-records.ts";
export { compareTree } from "./compare-trees.ts";
export {
  type ComparisonOrder,
  compareFileOf,
  comparePartOf,
  compareRecordOf,
  compareRefOf,
  compareVersions,
} from "./compare-versions.ts";
export { listPartVersions } from "./part-versions.ts";
export type * from "./views.ts";
