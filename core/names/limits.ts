/** Names that the index of an item holds, and the bytes that it may have, deflated and plain. */
export const MOST_NAMES = 5_000;
export const MOST_INDEX_BYTES = 256 * 1024;
/** Long paths deflate to almost nothing. A search has a few indexes in memory at once. */
export const MOST_PLAIN_BYTES = 2 * 1024 * 1024;
/** A longer title is found by its beginning. */
export const MOST_TITLE_CHARS = 200;
/** Folders of one view of files that are read for the paths of its files. */
export const MOST_FOLDERS = 500;
/** What one search reads and answers. */
export const SEARCH_BUDGET = {
  /** Items whose indexes are read, the newest version first, and how many at the same time. */
  items: 100,
  atOnce: 6,
  /** The search ends early when it has found this many names. */
  enough: 40,
  /** Names of one item that are answered. */
  perItem: 10,
};
/** Words of a search that are looked at. */
export const SEARCHED_WORDS = 5;
