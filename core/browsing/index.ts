/**
 * Browsing a version without restoring it: its records by kind, one record with its children, the files of its trees,
 * and any single part as a download. Reads little more than what is requested, however large the version is.
 */
export { describeVersion } from "./describe-version.ts";
export { type EntryQuery, listEntries } from "./list-entries.ts";
export { mediaTypeOfImage } from "./media-type.ts";
export { type OpenVersion, openForReading, type VersionOrder } from "./open-for-reading.ts";
export { openPart, type Part, type PartOrder } from "./open-part.ts";
export {
  type BoardQuery,
  canRestoreParts,
  openBoard,
  readBoardColumn,
  readBoardPage,
  readCardPage,
} from "./read-board.ts";
export { readRecordPage } from "./read-record.ts";
export { openTrees, readStart, readTreePage, type TreeAddress, textOf } from "./read-tree.ts";
export { readable } from "./readable-or-told.ts";
export type * from "./views.ts";
