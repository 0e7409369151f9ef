/** Rows of one kind that a comparison shows; it counts all of them. */
export const ROWS_PER_KIND = 50;
/** Comments of one card whose difference is told. */
export const MOST_COMMENTS = 50;
/** Differences that are looked at; past this the two versions are told to differ more than can be listed. */
export const MOST_DIFFERENCES = 20_000;
/** Commits that are followed from one tip to learn what was gained or lost. */
export const MOST_COMMITS = 500;
/** Refs whose history is followed; more that moved are told without it. */
export const MOST_REFS_WALKED = 50;
/** Files of which a comparison of two tips tells. */
export const MOST_FILES = 500;
/** Texts longer than this are told to differ, not how. */
export const LONGEST_TEXT = 256 * 1024;
/** Lines of one difference that are shown, and letters of one line; a line that changed is shown around its change. */
export const MOST_LINES = 1_500;
export const LONGEST_LINE = 500;
/** Milliseconds after which two texts count as too different: what a stranger wrote may be made to be slow. */
export const DIFF_MS = 500;
/** Lines around a change that are shown with it. */
export const CONTEXT_LINES = 3;
/** Edits past which two texts are simply different: finding the shortest way between them takes its square. */
export const MOST_EDITS = 500;
