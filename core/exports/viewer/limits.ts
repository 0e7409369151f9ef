/** Plain bytes in a part file before the next file starts. */
export const PART_FILE_BYTES = 256 * 1024;
/** Plain bytes of all parts together. The layout of a ZIP holds them, and a Worker holds the layout. */
export const VIEWER_BYTES = 16 * 1024 * 1024;
/** Bytes reserved for each later view, however large the earlier ones are. */
export const RESERVED_BYTES = 1024 * 1024;
/** Characters of one text that are shown. */
export const LONGEST_TEXT = 200_000;
/** Comments and events of one part, and the characters of all of them. */
export const MOST_NOTES = 500;
export const LONGEST_NOTES = 400_000;
/** Notes requested at once. */
export const NOTES_AT_ONCE = 100;
/** Branches and tags, commits, and names of the root folder that are listed for a tree of files. */
export const MOST_REFS = 500;
export const MOST_COMMITS = 30;
export const MOST_NODES = 500;
/** Kinds of entries that the cover counts. */
export const MOST_KINDS = 6;
/** Things that were left out and are named on the cover, and the characters of each reason. */
export const MOST_LEFT_OUT = 20;
export const LONGEST_REASON = 300;
/** Maximum depth of nested pages. */
export const DEEPEST_PAGE = 100;
