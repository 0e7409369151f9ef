/** Entries on one page of a version's list. */
export const ENTRIES_PER_PAGE = 50;
/** A search looks through so many entries before it shows what it has and offers to go on. */
export const MOST_SCANNED = 30_000;
/** Comments and other things below a record that are shown with it. */
export const CHILDREN_PER_PAGE = 100;
/** So many entries beside a record are looked at for what belongs to it. */
export const MOST_CHILDREN_SCANNED = 5_000;
/** A record past this is offered as a download only; the largest that platforms allow are far below. */
export const LARGEST_RECORD_BYTES = 4 * 1024 * 1024;
/** Text of a file that is shown; the rest is in the download. */
export const SHOWN_TEXT_BYTES = 512 * 1024;
/** Things of one folder that are shown. */
export const MOST_NODES = 2_000;
/** Refs that a chooser offers at once; others are found by their name. */
export const MOST_REFS = 200;
/** An image larger than this is not shown, only offered. */
export const LARGEST_IMAGE_BYTES = 10 * 1024 * 1024;
/** Cards of a column that a board shows at first, and of all its columns together. */
export const CARDS_PER_COLUMN = 30;
export const MOST_CARDS_AT_FIRST = 600;
/** Every column shows this many at first, however many columns there are. */
export const LEAST_CARDS_PER_COLUMN = 5;
/** Further cards of a column that are shown at once. */
export const CARDS_PER_PAGE = 100;
/** Comments, or lines of the history, that an opened card shows at once. */
export const NOTES_PER_PAGE = 30;
