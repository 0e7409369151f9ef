/** Entries on one page of a version's list. */
export const ENTRIES_PER_PAGE = 50;
/** Entries that a search scans before it returns what it has found and offers to continue. */
export const MOST_SCANNED = 30_000;
/** Entries that a search reads before it pauses, if it must read each one. */
export const MOST_READ = 2_000;
/** Rows of a table that are read to order them. Longer tables are shown as they are stored. */
export const MOST_SORTED = 500;
/** Tables whose rows a page shows, the rows of each, and the rows that are read to find and order them. */
export const MOST_INLINE_TABLES = 6;
export const INLINE_ROWS = 10;
export const MOST_READ_INLINE = 100;
/** Comments and other children shown with a record. */
export const CHILDREN_PER_PAGE = 100;
/** Entries beside a record that are scanned for its children. */
export const MOST_CHILDREN_SCANNED = 5_000;
/** Larger records are only downloadable. The largest that platforms allow are far below. */
export const LARGEST_RECORD_BYTES = 4 * 1024 * 1024;
/** Bytes of a text file that are shown; the download has the rest. */
export const SHOWN_TEXT_BYTES = 512 * 1024;
/** Nodes of one folder that are shown. */
export const MOST_NODES = 2_000;
/** Refs offered by a chooser; others are found by name. */
export const MOST_REFS = 200;
/** Larger images are only downloadable. */
export const LARGEST_IMAGE_BYTES = 10 * 1024 * 1024;
/** Cards that a board shows at first: per column, and in all columns together. */
export const CARDS_PER_COLUMN = 30;
export const MOST_CARDS_AT_FIRST = 600;
/** Every column shows at least this many at first, however many columns there are. */
export const LEAST_CARDS_PER_COLUMN = 5;
/** Further cards of a column per page. */
export const CARDS_PER_PAGE = 100;
/** Comments or events that an opened card, thread, page or row shows at once. */
export const NOTES_PER_PAGE = 30;
/** Comments and events that a thread shows at once when all are asked for. */
export const MOST_NOTES_AT_ONCE = 300;
/** Files of a folder whose sizes are read, and how many at the same time. */
export const MOST_SIZES = 100;
export const SIZES_AT_ONCE = 8;
