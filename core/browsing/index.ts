/**
 * Browses a version without restoring it: its records by kind, one record with its children, the views that its
 * platform defines (files, boards, threads, pages, tables), and any single part as a download. Reads little more than
 * what was requested, however large the version is.
 */
export { describeVersion, undatedKinds } from "./describe-version.ts";
export { findPart } from "./find-part.ts";
export { findPlace } from "./find-place.ts";
export { type EntryQuery, listEntries } from "./list-entries.ts";
export { mediaTypeOfImage } from "./media-type.ts";
export {
  type OpenVersion,
  openAhead,
  openBefore,
  openForReading,
  type VersionOrder,
} from "./open-for-reading.ts";
export { openPart, type PartContent, type PartOrder } from "./open-part.ts";
export { listViews, readView, type Viewed, viewsOf } from "./open-view.ts";
export { type BoardQuery, readBoardColumn, readBoardPage, readCardPage } from "./read-board.ts";
export { type PageQuery, readPageList, readPagePage, readTableCrumbs } from "./read-pages.ts";
export { readRecordPage } from "./read-record.ts";
export { readRowPage, readTablePage, type TableAddress } from "./read-table.ts";
export { readThreadList, readThreadPage, type ThreadQuery } from "./read-threads.ts";
export { readFileSizes, readStart, readTreePage, type TreeAddress, textOf } from "./read-tree.ts";
export { readable } from "./readable-or-told.ts";
export { restorableParts } from "./restorable-parts.ts";
export type * from "./views.ts";
