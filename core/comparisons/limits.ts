/** Rows per kind that a comparison shows; the counts include all. */
export const ROWS_PER_KIND = 50;
/** Comments of one part that are compared. */
export const MOST_COMMENTS = 50;
/** Differences that are read. Beyond this, the comparison is marked as cut. */
export const MOST_DIFFERENCES = 20_000;
/** Commits that are followed from one tip to find gained and lost ones. */
export const MOST_COMMITS = 500;
/** Refs that a comparison lists; the count includes all. */
export const MOST_REFS = 500;
/** Refs whose history is followed. Further ones are listed without it. */
export const MOST_REFS_WALKED = 50;
/** Files that a comparison of two tips lists. */
export const MOST_FILES = 500;
/** Longer texts are reported as different, without details. */
export const LONGEST_TEXT = 256 * 1024;
/** Lines of one difference that are shown, and characters per line. A longer line is shown around its change. */
export const MOST_LINES = 1_500;
export const LONGEST_LINE = 500;
/** Milliseconds after which two texts count as too different: a text may be crafted to be slow to compare. */
export const DIFF_MS = 500;
/** Context lines around a change. */
export const CONTEXT_LINES = 3;
/**
 * Edits beyond which two texts count as too different: the cost of the shortest edit script grows with their square.
 */
export const MOST_EDITS = 500;
/** Versions before and after an open one in which the changes of a part are looked up. */
export const NEARBY = { older: 30, newer: 10 };
/** Reads from the vault after which no more versions are compared. An invocation may make a thousand. */
export const MOST_NEARBY_READS = 300;
/** Pairs of versions that are compared at the same time. */
export const NEARBY_AT_ONCE = 5;
