/**
 * What differs between two versions of an item. Chunks of the manifests that both share are not fetched, folders with
 * the same name of their content not opened, and history is followed for a bounded way, so that the cost is that of the
 * changes and not of what was backed up.
 */
export { compareRecords } from "./compare-records.ts";
export { compareTree } from "./compare-trees.ts";
export {
  type ComparisonOrder,
  compareCardOf,
  compareFileOf,
  compareRecordOf,
  compareRefOf,
  compareVersions,
} from "./compare-versions.ts";
export type * from "./views.ts";
