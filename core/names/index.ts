/**
 * Names: one encrypted index per item of what its newest checked version holds by name - cards, issues, pages, files. The
 * check of a version makes it, and a search reads the indexes of the items whose versions a member may read. DECISIONS.md
 * 186 states the budget.
 */
export { indexNames } from "./index-names.ts";
export { searchNames } from "./search-names.ts";
